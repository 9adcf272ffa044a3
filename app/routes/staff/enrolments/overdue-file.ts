import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { type CsvColumn, csvFile } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/overdue-file';
import { everyOverdue, type Overdue } from './overdue.server.ts';

const columns: readonly CsvColumn<Overdue>[] = [
  ['Due since', ({ dueOn }) => dueOn],
  ['Reference', ({ reference }) => reference],
  ['Buyer', ({ buyer }) => buyer],
  ['Organisation', ({ organisation }) => organisation],
  ['Title', ({ title }) => title],
  ['Begins', ({ firstDay }) => firstDay],
  ['Late, AU$', ({ lateCents }) => ({ cents: lateCents })],
  ['Owed, AU$', ({ balanceCents }) => ({ cents: balanceCents })],
  ['In instalments', ({ inInstalments }) => (inInstalments ? 'yes' : 'no')],
  ['Reminded', ({ reminded }) => reminded.join(' ')],
  ['Last reminder came back', ({ undelivered }) => (undelivered ? 'yes' : 'no')],
];

/** The late payments, as CSV (P78). */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const pieces = everyOverdue(academy.db, actor, momentOf(academy).today);
  return csvFile(academy, actor, { list: 'overdue', columns, pieces, filters: '' });
}
