import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { chosenIn, chosenQuery } from '#app/routes/staff/lists/chosen.ts';
import { chosenAddressees } from '#app/routes/staff/runs/chosen-addressees.server.ts';
import { usualMessage } from '#app/routes/staff/runs/compose.tsx';
import { answerMessage, takeMessage } from '#app/routes/staff/runs/take-message.server.ts';
import { WriteToChosen } from '#app/routes/staff/runs/write-to-chosen.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/write-chosen';
import { tooMany } from './act-chosen.server.ts';
import { chosenEnrolments, listAddressOf } from './chosen-enrolments.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const academy = context.get(academyContext);
  const chosen = chosenIn(url.searchParams);
  const ids = await orAway(() => chosenEnrolments(academy.db, actor, chosen, momentOf(academy).today));
  const back = listAddressOf(chosen);
  if (ids === 'too-many') return { back, line: tooMany, to: null };
  if (ids.length === 0) return { back, line: 'No enrolment is chosen. Go back to the list and tick some.', to: null };
  return {
    back,
    line: `To the people of ${ids.length === 1 ? '1 enrolment' : `${formatCount(ids.length)} enrolments`}.`,
    to: `${href('/staff/enrolments/write')}?${chosenQuery(chosen)}`,
    form: blankStaffForm(0, usualMessage('attendees')),
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const academy = context.get(academyContext);
  const chosen = chosenIn(url.searchParams);
  const { today } = momentOf(academy);
  const addressees = chosenAddressees({
    subject: 'list:enrolments',
    of: 'enrolments',
    idsOf: (db) => chosenEnrolments(db, actor, chosen, today),
  });
  const taken = await takeMessage(academy, { form: await readForm(request), actor, addressees });
  return answerMessage(taken, href('/staff/enrolments'));
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Write to those chosen');

const groups = [
  ['attendees', 'People who attend'],
  ['buyers', 'Buyers'],
] as const;

/** Staff write to the people of the enrolments that they chose (P79). */
export default function WriteToEnrolments({ loaderData, actionData }: Route.ComponentProps) {
  const { back, line, to, form } = loaderData;
  return (
    <WriteToChosen
      back={{ to: back, text: 'Enrolments' }}
      line={line}
      writing={to !== null && form ? { to, form, groups } : null}
      answer={actionData}
    />
  );
}
