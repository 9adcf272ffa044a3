import { href } from 'react-router';
import { kindInAddress, titleOf, wordsOf } from '#app/features/content/form/kinds.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { countWaiting } from '#app/features/waiting/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/record-retire';
import { placeAt, standingAt } from './editor.server.ts';
import { takeRetirement } from './history-acts.server.ts';
import { recordAddress } from './record-acts.server.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  staffFor(context, 'content:publish');
  const { db } = context.get(academyContext);
  const { record, current, waiting } = await orAway(async () => {
    const standing = await standingAt(db, params);
    const { kind, key } = standing.record;
    return { ...standing, waiting: kind === 'course' ? await countWaiting(db, key) : 0 };
  });
  return {
    waiting,
    title: titleOf(record.kind, current?.value ?? {}),
    one: wordsOf(record.kind).one,
    base: current?.number ?? 0,
    id: record.id,
    kind: kindInAddress(record.kind),
    form: blankStaffForm(0),
  };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'content:publish');
  const place = placeAt(params);
  const form = await readForm(request);
  const result = await takeRetirement(context.get(academyContext), place, { form, actor });
  return answerForm(result, recordAddress(place));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Retire');

const labels = { note: 'Why' };

const toldOf = (waiting: number) =>
  waiting === 0
    ? ''
    : ` ${waiting === 1 ? '1 entry on its waiting list is' : `${waiting} entries on its waiting list are`} closed, and each gets an email that says so.`;

export default function Retire({ loaderData, actionData }: Route.ComponentProps) {
  const { title, one, base, id, kind, waiting } = loaderData;
  return (
    <Dialog
      from={{ to: href('/staff/content/:kind/:id', { kind, id: String(id) }), text: title }}
      title={`Retire this ${one}?`}
      line={title}
      explains={`Visitors do not see it any more. Its history stays, and you can publish any revision again. If something still needs this ${one}, nothing is changed and the page says what.${toldOf(waiting)}`}
      act="retire"
      form={actionData?.form ?? loaderData.form}
      labels={labels}
      needs="content:publish"
      carries={{ base }}
      look="danger"
      submit={`Retire the ${one}`}
      className="grid max-w-prose gap-4"
    >
      <TextField form={actionData?.form ?? loaderData.form} name="note" label={labels.note} maxLength={500} />
    </Dialog>
  );
}
