import type { OddPayment } from '#app/features/money/payments-to-review.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { type CsvColumn, csvFile } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/payments-file';
import { everyOddPayment } from './payments.server.ts';
import { oddities } from './shown-money.server.ts';

const columns: readonly CsvColumn<OddPayment>[] = [
  ['Received', ({ receivedOn }) => receivedOn],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => ({ cents: amountCents })],
  ['Words', ({ words }) => words],
  ['Enrolment', ({ reference }) => reference],
  ['Owed now, AU$', ({ reference, balanceCents }) => (reference === null ? null : dollarsFromCents(balanceCents))],
  ['Why', ({ why }) => why.map((name) => oddities[name]).join(', ')],
];

/** The payments to look at, as CSV (P78). */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const pieces = everyOddPayment(academy.db, actor, academy.clock.now());
  return csvFile(academy, actor, { list: 'payments', columns, pieces, filters: '' });
}
