import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** Why staff should look at a payment (P39). */
export type Oddity = 'unmatched' | 'too-small' | 'too-large' | 'double' | 'late' | 'cancelled';

export type OddPayment = {
  id: number;
  enrolmentId: number | null;
  reference: string | null;
  amountCents: Cents;
  currency: string;
  receivedOn: Day;
  words: string | null;
  /** The balance of its enrolment now; below zero, the academy owes the buyer. */
  balanceCents: Cents;
  why: Oddity[];
};

type Row = Omit<OddPayment, 'why'> & { isLate: boolean; isDouble: boolean; isCancelled: boolean };

/**
 * A page of the payments for staff to look at, the latest first. It has all payments without an enrolment. Of those
 * recorded since an instant it has every payment that was too low or too high, came twice, came after its due date or
 * that of its instalment, or is for an enrolment with no place left. `before` is the id of the last payment on the page
 * before; `next` is the id for the next page, null when there is none.
 */
export async function paymentsToReview(
  db: Db,
  { since, before = null, most = 50 }: { since: Date; before?: number | null; most?: number },
): Promise<{ payments: OddPayment[]; next: number | null }> {
  const { rows } = await sql<Row>`
    select payment.id, payment.enrolment_id as "enrolmentId", reference, amount_cents as "amountCents", currency,
      received_on as "receivedOn", payment.words, coalesce(listed.balance_cents, 0) as "balanceCents",
      state.late as "isLate", state.cancelled as "isCancelled",
      exists (select from payments other where other.enrolment_id = payment.enrolment_id
        and other.amount_cents = payment.amount_cents and other.id < payment.id) as "isDouble"
    from payments payment
    left join enrolments on enrolments.id = payment.enrolment_id
    left join enrolment_index listed on listed.enrolment_id = payment.enrolment_id
    left join enrolment_list list on list.enrolment_id = payment.enrolment_id
    cross join lateral (
      -- Nothing is due while a date waits for its decision, nor before the day of that decision. open_invoices has the
      -- same rule, but of what is open now; a payment is late or not by what was due on the day it came.
      select coalesce(bool_or(place.state = 'active' and session.state = 'tentative'), false) as waits,
        max(least(session.confirmed_on, place.ended_on)) as decided_on
      from places place join training_sessions session on session.id = place.training_session_id
      where place.enrolment_id = payment.enrolment_id
        and (session.decided_by is not null or session.confirmed_on is not null)
    ) as decision
    cross join lateral (select not waits and
      received_on > greatest(decided_on, coalesce(
        -- Of what was agreed before it came: the first instalment that the payments since had not covered.
        (select min(due_on) from (
          select due_on, sum(amount_cents) over (order by due_on, id) as up_to_it, agreed_at from instalments
          where enrolment_id = payment.enrolment_id and ended_at is null and agreed_at <= payment.recorded_at
        ) as agreed where up_to_it > (
          select coalesce(sum(earlier.amount_cents), 0) from payments earlier
          where earlier.enrolment_id = payment.enrolment_id and earlier.id < payment.id
            and earlier.recorded_at >= agreed.agreed_at
        )),
        (select max((facts ->> 'dueOn')::date) from tax_invoices where enrolment_id = payment.enrolment_id)
      )) is true as late,
      -- Counted by the list: asked of the places, the planner reads all of them.
      coalesce(list.places = 0, false) as cancelled
    ) as state
    where (${before}::bigint is null or payment.id < ${before})
      and (payment.enrolment_id is null
        or payment.recorded_at >= ${since} and (listed.balance_cents <> 0 or state.late or state.cancelled))
    order by payment.id desc
    limit ${most + 1}`.execute(db);
  const payments = rows.slice(0, most).map(({ isLate, isDouble, isCancelled, ...row }): OddPayment => {
    const why: Oddity[] = [];
    if (row.enrolmentId === null) why.push('unmatched');
    if (row.balanceCents > 0) why.push('too-small');
    if (row.balanceCents < 0) why.push('too-large');
    if (row.balanceCents < 0 && isDouble) why.push('double');
    if (isLate) why.push('late');
    if (isCancelled) why.push('cancelled');
    return { ...row, why };
  });
  return { payments, next: rows.length > most ? (payments.at(-1)?.id ?? null) : null };
}
