import { href } from 'react-router';
import { listTemplates } from '#app/features/inbox/templates.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/templates';
import { takeNewTemplate } from './template-acts.server.ts';
import { TemplateFields, templateLabels } from './template-fields.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'inbox:read');
  const templates = await unlessDatabaseAway(() => listTemplates(context.get(academyContext).db, actor));
  return { templates, form: blankStaffForm(0, { body: 'Hello {first name},\n\n' }) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'templates:change');
  const result = await takeNewTemplate(context.get(academyContext), { form: await readForm(request), actor });
  return answerForm(result, href('/staff/inbox/templates'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Templates');

/** The texts that staff begin answers with (P81). */
export default function Templates({ loaderData, actionData }: Route.ComponentProps) {
  const { templates } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const used = templates.filter(({ retired }) => !retired);
  const retired = templates.filter((template) => template.retired);
  return (
    <>
      <PageHead title="Templates" beside="for everybody who answers messages and chats" />
      <WhoMay needs="templates:change" what="write and change templates" />
      {actionData?.form && <ErrorSummary form={form} labels={templateLabels} formId="write-form" />}
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 gap-8">
          <Section title="In use">
            {used.length === 0 && <Words>None.</Words>}
            <ul>
              {used.map(({ id, name, body }) => (
                <li key={id} className="border-b border-line py-3">
                  <p className="font-semibold wrap-anywhere">
                    <TextLink to={href('/staff/inbox/templates/:id', { id: String(id) })}>{name}</TextLink>
                  </p>
                  <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere text-mute">{body}</p>
                </li>
              ))}
            </ul>
          </Section>
          {retired.length > 0 && (
            <Section title="Retired">
              <ul>
                {retired.map(({ id, name }) => (
                  <li key={id} className="border-b border-line py-1.5 wrap-anywhere">
                    <TextLink to={href('/staff/inbox/templates/:id', { id: String(id) })}>{name}</TextLink>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
        <OnlyWith permission="templates:change">
          <Section title="Write a new one">
            <ActForm
              // Empty again once one was written.
              key={templates.length}
              act="write"
              form={form}
              needs="templates:change"
              className="grid gap-4 pt-3"
              submit="Save"
              look="primary"
            >
              <TemplateFields form={form} />
            </ActForm>
          </Section>
        </OnlyWith>
      </div>
    </>
  );
}
