import { href } from 'react-router';
import { kindInAddress, titleOf, wordsOf } from '#app/features/content/form/kinds.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/record-retire';
import { placeAt, standingAt } from './editor.server.ts';
import { takeRetirement } from './history-acts.server.ts';
import { readNeeded } from './needed.server.ts';
import { recordAddress } from './record-acts.server.ts';

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:publish');
  const academy = context.get(academyContext);
  const { record, current, draft, needs, waiting } = await unlessDatabaseAway(async () => {
    const standing = await standingAt(academy.db, actor, params);
    return { ...standing, ...(await readNeeded(academy.db, actor, standing.record, momentOf(academy))) };
  });
  return {
    waiting,
    scheduled: draft?.state === 'scheduled',
    dates:
      record.kind === 'course' ? `${href('/staff/course-dates')}?${new URLSearchParams({ course: record.key })}` : null,
    records: needs.records.map(({ kind, id, title, fields }) => ({
      to: recordAddress({ kind: kind as RecordKind, id }),
      text: capital(`${wordsOf(kind).one} ${title}`),
      fields: fields.join(', '),
    })),
    others: needs.others.map((text) => capital(text.replace(`${record.kind} ${record.key}: `, ''))),
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

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const labels = { note: 'Why' };

const toldOf = (waiting: number) =>
  waiting === 0
    ? ''
    : ` ${waiting === 1 ? '1 entry on its waiting list is' : `${waiting} entries on its waiting list are`} closed, and each gets an email that says so.`;

export default function Retire({ loaderData, actionData }: Route.ComponentProps) {
  const { title, one, base, id, kind, records, others, dates, waiting, scheduled } = loaderData;
  const isNeeded = records.length + others.length > 0;
  return (
    <Dialog
      from={{ to: href('/staff/content/:kind/:id', { kind, id: String(id) }), text: title }}
      title={`Retire this ${one}?`}
      line={title}
      explains={`Visitors do not see it any more. Its history stays, and you can publish any revision again.${isNeeded ? '' : ` Nothing needs this ${one}.`}${scheduled ? ' The text that is scheduled becomes a draft and does not go out.' : ''}${toldOf(waiting)}`}
      act="retire"
      form={actionData?.form ?? loaderData.form}
      labels={labels}
      needs="content:publish"
      carries={{ base }}
      look="danger"
      submit={`Retire the ${one}`}
      className="grid max-w-prose gap-4"
    >
      {isNeeded && (
        <section aria-labelledby="needed" className="rounded-2xl bg-straw-tint px-4 py-3">
          <h2 id="needed" className="text-base">
            It cannot be retired while these need it
          </h2>
          <ul className="mt-1 grid list-disc gap-1 pl-5">
            {records.map(({ to, text, fields }) => (
              <li key={to}>
                <TextLink to={to}>{text}</TextLink>, under “{fields}”
              </li>
            ))}
            {others.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {others.length > 0 && dates && (
            <p className="mt-2">
              <TextLink to={dates}>Its dates</TextLink>
            </p>
          )}
        </section>
      )}
      <TextField form={actionData?.form ?? loaderData.form} name="note" label={labels.note} maxLength={500} />
    </Dialog>
  );
}
