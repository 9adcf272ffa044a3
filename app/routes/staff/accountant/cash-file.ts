import { staffFor } from '#app/features/people/staff-only.server.ts';
import { periodIn, periodQuery } from '#app/features/reports/period.ts';
import { everyFigureRow, type FigureRow } from '#app/features/reports/rows.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { type CsvColumn, csvFile } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/cash-file';

/** As the lines of a bank statement in Xero's template; what left is below zero. */
const columns: readonly CsvColumn<FigureRow>[] = [
  ['*Date', ({ day }) => day.split('-').toReversed().join('/')],
  ['*Amount', ({ cents }) => ({ cents })],
  ['Payee', ({ who }) => who],
  ['Description', ({ cents, name }) => `${cents < 0 ? 'Refund' : 'Received'}, ${name}`],
  ['Reference', ({ enrolment }) => enrolment ?? 'not matched'],
];

/** All money that came in and all refunds of some days (P83). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'money:export');
  const academy = context.get(academyContext);
  const period = periodIn(url.searchParams, momentOf(academy).today);
  return csvFile(academy, actor, {
    list: 'money',
    columns,
    pieces: everyFigureRow(academy.db, actor, { kind: 'cash', period }),
    filters: periodQuery(period),
  });
}
