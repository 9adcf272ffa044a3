import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { shortDays } from '#app/lib/short-dates.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { chosenIn, chosenQuery } from '#app/routes/staff/lists/chosen.ts';
import { chosenAddressees } from '#app/routes/staff/runs/chosen-addressees.server.ts';
import { usualMessage } from '#app/routes/staff/runs/compose.tsx';
import { answerMessage, takeMessage } from '#app/routes/staff/runs/take-message.server.ts';
import { WriteToChosen } from '#app/routes/staff/runs/write-to-chosen.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/write-chosen';
import { chosenSessions } from './chosen-sessions.server.ts';
import { mostDates, sessionList } from './session-filter.ts';
import { groupsOfDate } from './session-labels.ts';
import { readSessions } from './sessions.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const academy = context.get(academyContext);
  const chosen = chosenIn(url.searchParams);
  const { today } = momentOf(academy);
  const { ids, dates } = await orAway(async () => {
    const found = await chosenSessions(academy.db, actor, chosen, today);
    return { ids: found, dates: found === 'too-many' ? [] : await readSessions(academy.db, actor, found, today) };
  });
  const back = sessionList.address({ ...sessionList.viewOf(new URLSearchParams(chosen.list)), cursor: null });
  if (ids === 'too-many') {
    return { back, line: `One message can go to ${mostDates} course dates at most. Choose fewer.`, to: null };
  }
  if (ids.length === 0) return { back, line: 'No course date is chosen. Go back to the list and tick some.', to: null };
  const several = 'Somebody in two of them gets an email for each, which names its own date.';
  return {
    back,
    line:
      ids.length === 1 ? 'To the people of 1 course date.' : `To the people of ${ids.length} course dates. ${several}`,
    to: `${href('/staff/sessions/write')}?${chosenQuery(chosen)}`,
    form: blankStaffForm(0, usualMessage('attendees')),
    dates: dates.map(({ title, startDate, endDate, where }) => `${title}, ${shortDays(startDate, endDate)}, ${where}`),
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const academy = context.get(academyContext);
  const chosen = chosenIn(url.searchParams);
  const { today } = momentOf(academy);
  const addressees = chosenAddressees({
    subject: 'list:sessions',
    of: 'sessions',
    idsOf: (db) => chosenSessions(db, actor, chosen, today),
  });
  const taken = await takeMessage(academy, { form: await readForm(request), actor, addressees });
  return answerMessage(taken, href('/staff/sessions'));
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Write to course dates');

/** Staff write to the people of the course dates that they chose (P79, P80). */
export default function WriteToDates({ loaderData, actionData }: Route.ComponentProps) {
  const { back, line, to, form, dates } = loaderData;
  return (
    <WriteToChosen
      back={{ to: back, text: 'Course dates' }}
      line={line}
      chosen={dates}
      writing={to !== null && form ? { to, form, groups: groupsOfDate } : null}
      answer={actionData}
    />
  );
}
