import { staffFor } from '#app/features/people/staff-only.server.ts';
import { periodIn, periodQuery } from '#app/features/reports/period.ts';
import { everyFigureRow, type FigureRow, isRowKind } from '#app/features/reports/rows.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { type CsvColumn, csvFile } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/rows-file';

const columns: readonly CsvColumn<FigureRow>[] = [
  ['Day', ({ day }) => day],
  ['Document or way of payment', ({ name }) => name],
  ['Buyer', ({ who }) => who],
  ['Enrolment', ({ enrolment }) => enrolment],
  ['Amount AUD including GST', ({ cents }) => ({ cents })],
  ['GST AUD', ({ gstCents }) => (gstCents === null ? null : { cents: gstCents })],
];

/** The rows behind a figure, all of them. */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'money:export');
  const academy = context.get(academyContext);
  const { kind } = params;
  if (!isRowKind(kind)) return new Response('Not found\n', { status: 404 });
  const period = periodIn(url.searchParams, momentOf(academy).today);
  return csvFile(academy, actor, {
    list: `money-${kind}`,
    columns,
    pieces: everyFigureRow(academy.db, actor, { kind, period }),
    filters: periodQuery(period),
  });
}
