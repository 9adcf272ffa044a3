import { data, href, redirect } from 'react-router';
import { kindInAddress, kindOfAddress, singleKinds, wordsOf } from '#app/features/content/form/kinds.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { SendButton } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/record-new';
import { readBlank } from './editor.server.ts';
import { takeNewRecord } from './new-record-acts.server.ts';
import { forgetOnDevice } from './on-device.ts';
import { PartsList } from './parts-list.tsx';
import { Preview } from './preview-frame.tsx';
import { PreviewButton, SaveButton } from './record-buttons.tsx';
import { sendRecord } from './send-record.ts';
import { formId, TypedForm } from './typed-form.tsx';

/** The kind that an address names, if it can have one more record; otherwise throws the answer 404. */
function kindAt(address: string) {
  const kind = kindOfAddress(address);
  if (!kind || singleKinds.includes(kind)) throw data('Nothing new can be made here.', { status: 404 });
  return kind;
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:change');
  const kind = kindAt(params.kind);
  const { db } = context.get(academyContext);
  const blank = await unlessDatabaseAway(() => readBlank(db, actor, kind));
  return { ...blank, ...wordsOf(kind), kind: kindInAddress(kind) };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'content:change');
  const kind = kindAt(params.kind);
  const form = await readForm(request);
  const result = await takeNewRecord(context.get(academyContext), kind, { form, actor });
  if (result.ok) throw redirect(result.to, 303);
  const { ok: _, status, ...refused } = result;
  return data(refused, { status });
}

/** The first save leads to the record's own page, so the entries kept in the browser are deleted. */
export async function clientAction(sent: Route.ClientActionArgs) {
  try {
    return await sendRecord(sent);
  } catch (answer) {
    if (answer instanceof Response) forgetOnDevice(`${sent.params.kind}:new`);
    throw answer;
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData ? `New ${loaderData.one}` : 'Content');

export default function NewRecord({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, one, many, fields, choices } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const address = href('/staff/content/:kind/:id/preview', { kind, id: 'new' });
  const labels = Object.fromEntries(fields.map(({ name, label }) => [`v.${name}`, label]));
  return (
    <>
      <Back to={href('/staff/content/:kind', { kind })}>{many}</Back>
      <PageHead title={`New ${one}`} beside="Save it as a draft first. Then you can publish it.">
        <PreviewButton to={address} />
        <SaveButton look="primary" />
      </PageHead>
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <div className="items-start gap-x-10 xl:flex">
        <PartsList fields={fields} faulty={Object.keys(form.errors)} asSteps />
        <div className="grid min-w-0 grow items-start gap-x-10 gap-y-8 lg:grid-cols-2">
          <div className="min-w-0">
            <TypedForm
              key={JSON.stringify(form.values)}
              place={`${kind}:new`}
              saved={loaderData.form.values}
              fields={fields}
              form={form}
              choices={choices}
              changed={{}}
            >
              <div>
                <SendButton name="act" value="save" look="primary">
                  Save draft
                </SendButton>
              </div>
            </TypedForm>
          </div>
          <Preview address={address} pages={[]} published={false} />
        </div>
      </div>
    </>
  );
}
