import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { type Day, daysBetween } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** An incoming line that names one enrolment. */
type Line = { at: number; enrolmentId: number; day: Day; amountCents: Cents };

/** The payment of money that is recorded already, and how: by hand, or as a refund that failed and came back. */
type RecordedBefore = { paymentId: number; how: 'by-hand' | 'returned' };

type Candidate = RecordedBefore & { enrolmentId: number; cents: Cents; day: Day };

/** How many days a bank may take between the day that staff entered and the day of its line. */
const mostDays = { 'by-hand': 7, returned: 30 };

/**
 * The lines whose money is recorded already although no line of a statement brought it, by their place: a transfer that
 * staff entered by hand, and a refund that they marked as failed. Amount and enrolment have to be the same. Each is found
 * for one line only, so that a second payment of the same amount is a new one.
 */
export async function findRecordedByHand(db: Db, lines: readonly Line[]): Promise<Map<number, RecordedBefore>> {
  if (lines.length === 0) return new Map();
  const enrolments = [...new Set(lines.map(({ enrolmentId }) => enrolmentId))];
  const { rows } = await sql<Candidate>`
    select payment.id as "paymentId", 'by-hand' as how, enrolment_id as "enrolmentId",
      coalesce(arrived_cents, amount_cents) as cents, received_on as day
    from payments payment
    where enrolment_id = any(${enrolments}::bigint[]) and method = 'bank' and part_of is null
      and source not like 'bank%' and not exists (select from bank_lines where payment_id = payment.id)
    union all
    select payment.id, 'returned', payment.enrolment_id, refund.amount_cents, refund.sent_on
    from refunds refund join payments payment on payment.id = refund.payment_id
    where payment.enrolment_id = any(${enrolments}::bigint[]) and refund.state = 'failed'
      and not exists (select from bank_lines line where line.payment_id = payment.id
        and line.amount_cents = refund.amount_cents and line.recorded_at > refund.recorded_at)`.execute(db);
  const left = new Set(rows);
  const found = new Map<number, RecordedBefore>();
  for (const { at, enrolmentId, day, amountCents } of lines) {
    const [nearest] = [...left]
      .filter((one) => one.enrolmentId === enrolmentId && one.cents === amountCents && isNear(one, day))
      .toSorted((a, b) => Math.abs(daysBetween(a.day, day)) - Math.abs(daysBetween(b.day, day)));
    if (!nearest) continue;
    left.delete(nearest);
    found.set(at, { paymentId: nearest.paymentId, how: nearest.how });
  }
  return found;
}

/** A refund cannot come back before it was sent. */
function isNear({ how, day: recordedOn }: Candidate, day: Day): boolean {
  const days = daysBetween(recordedOn, day);
  return Math.abs(days) <= mostDays[how] && (how === 'by-hand' || days >= 0);
}
