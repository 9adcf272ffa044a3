import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { type CsvColumn, csvFile } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/sessions-file';
import { everySession } from './list-sessions.server.ts';
import { type SessionColumn, sessionList } from './session-filter.ts';
import { sessionRemark } from './session-remark.ts';
import type { SessionForStaff } from './sessions.server.ts';

const columnsOf: Record<SessionColumn, readonly CsvColumn<SessionForStaff>[]> = {
  course: [['Course', ({ title }) => title]],
  days: [
    ['First day', ({ startDate }) => startDate],
    ['Last day', ({ endDate }) => endDate],
  ],
  where: [['Where', ({ where }) => where]],
  instructor: [['Instructor', ({ instructor }) => instructor]],
  seats: [
    ['Sold', ({ sold }) => sold],
    ['Seats', ({ capacity }) => capacity],
    ['Minimum', ({ minimum }) => minimum],
  ],
  waiting: [['Waiting', ({ waiting }) => waiting]],
  charged: [['Invoiced, AU$', ({ chargedCents }) => (chargedCents === null ? null : dollarsFromCents(chargedCents))]],
  remark: [['To know', (session) => sessionRemark(session).text]],
};

/** The rows of the list of course dates that an address shows, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const view = sessionList.viewOf(url.searchParams);
  return csvFile(academy, actor, {
    list: 'sessions',
    columns: view.columns.flatMap((column) => columnsOf[column]),
    pieces: everySession(academy.db, actor, view, academyToday(academy.clock)),
    filters: sessionList.queryOf(view).toString(),
  });
}
