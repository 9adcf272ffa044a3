import { venueText } from '#app/features/enrolments/waiting/preferences.ts';
import { everyWaitingEntry, type WaitingRow } from '#app/features/enrolments/waiting/queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/waiting-file';
import { chosenRowsIn } from './lists/chosen-rows.ts';
import { type CsvColumn, csvFile, csvInstant } from './lists/csv-file.server.ts';

const columns: readonly CsvColumn<WaitingRow>[] = [
  ['Course', ({ title }) => title],
  ['First day', ({ startsOn }) => startsOn ?? 'The next date'],
  ['Number', ({ reference }) => reference],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Seats', ({ seats }) => seats],
  ['Weeks', ({ weeks }) => weeks.join(' ')],
  ['Place', ({ venue }) => venue && venueText(venue)],
  ['Joined', ({ joinedAt }) => csvInstant(joinedAt)],
  ['Confirmed', ({ confirmed }) => (confirmed ? 'yes' : 'no')],
  ['Offered', ({ offered }) => (offered ? 'yes' : 'no')],
];

/** Everybody who waits on any list, or those who were ticked on one, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const chosen = chosenRowsIn(url.searchParams);
  const only = chosen.all || chosen.rows.length === 0 ? null : chosen.rows;
  return csvFile(academy, actor, {
    list: 'waiting',
    columns,
    pieces: everyWaitingEntry(academy.db, actor, only),
    filters: only ? 'chosen' : '',
  });
}
