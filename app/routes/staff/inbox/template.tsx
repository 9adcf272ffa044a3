import { data, href } from 'react-router';
import { listTemplates } from '#app/features/inbox/templates.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { History, Pill } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/template';
import { takeTemplateAct } from './template-acts.server.ts';
import { TemplateFields, templateLabels } from './template-fields.tsx';

/** The id an address names; zero, which no template has, when it is none. */
const idOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'inbox:read');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const template = (await listTemplates(db, actor)).find(({ id }) => id === idOf(params.id));
    return template && { template, history: await readHistory(db, actor, `template:${template.id}`) };
  });
  if (!found) throw data('There is no such template.', { status: 404 });
  const { template, history } = found;
  const { name, body } = template;
  return { template, entries: history.entries, form: blankStaffForm(history.seen, { name, body }) };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'templates:change');
  const asked = { form: await readForm(request), actor, id: idOf(params.id) };
  const result = await takeTemplateAct(context.get(academyContext), asked);
  return answerForm(result, href('/staff/inbox/templates'));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.template.name ?? 'Template');

const needs = 'templates:change';

export default function Template({ loaderData, actionData }: Route.ComponentProps) {
  const { template, entries } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { name, retired } = template;
  return (
    <RecordPage
      back={{ to: href('/staff/inbox/templates'), text: 'Templates' }}
      title={name}
      pill={retired && <Pill look="over">Retired</Pill>}
      line={null}
      form={form}
      labels={templateLabels}
      needs={needs}
      what="change it"
      about="About this template"
      aside={
        <>
          <ActForm
            act={retired ? 'use-again' : 'retire'}
            form={form}
            needs={needs}
            stays={false}
            look={retired ? 'quiet' : 'danger'}
            submit={retired ? 'Use it again' : 'Retire it'}
          />
          <History entries={entries} />
        </>
      }
    >
      <ActForm
        act="change"
        form={form}
        needs={needs}
        stays={false}
        className="grid max-w-2xl gap-4"
        submit="Save"
        look="primary"
      >
        <TemplateFields form={form} />
      </ActForm>
    </RecordPage>
  );
}
