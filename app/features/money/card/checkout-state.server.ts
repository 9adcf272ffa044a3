import type { Db } from '#app/db/client.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import type { Cents } from '#app/lib/money.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';

/**
 * The state of the payment for a buyer who comes back from Stripe; `none` when there was no checkout, `unheard` when
 * its time has passed and Stripe has not told its result yet.
 */
export type CheckoutState = 'none' | 'open' | 'unheard' | 'processing' | 'paid' | 'failed' | 'expired';

/** The latest checkout of an enrolment. Only Stripe's webhook says that it is paid. */
export async function latestCheckout(
  db: Db,
  enrolmentId: number,
  at: Date,
): Promise<{ state: CheckoutState; amountCents: Cents }> {
  const row = await db
    .selectFrom('card_checkouts')
    .select(['state', 'amount_cents', 'expires_at'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row) return { state: 'none', amountCents: 0 };
  return { state: stateOf(row, at), amountCents: row.amount_cents };
}

/** Stripe tells an event again for three days when we did not take it; then it has given up. */
export const toldWithinMs = 4 * dayMs;

/**
 * The money of completed payments that Stripe has not told us about yet, by enrolment: nobody is asked for it until
 * then. After four days Stripe has given up telling, and staff look (`cardTroubles`).
 */
export async function cardPaymentsOnTheirWay(
  db: Db,
  enrolmentIds: readonly number[],
  at: Date,
): Promise<Map<number, Cents>> {
  const rows = await db
    .selectFrom('card_checkouts')
    .select(['enrolment_id', 'amount_cents'])
    .where('enrolment_id', 'in', [0, ...enrolmentIds])
    .where('state', '=', 'processing')
    .where('expires_at', '>=', new Date(at.getTime() - toldWithinMs))
    .execute();
  const sums = new Map<number, Cents>();
  for (const { enrolment_id: id, amount_cents } of rows) sums.set(id, (sums.get(id) ?? 0) + amount_cents);
  return sums;
}

/** The money that cardholders' banks took back of the payments of enrolments, by enrolment; disputes that were won not. */
export async function disputedOf(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, Cents>> {
  const rows = await db
    .selectFrom('card_disputes')
    .innerJoin('refunds', 'refunds.id', 'refund_id')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['payments.enrolment_id', 'refunds.amount_cents'])
    .where('payments.enrolment_id', 'in', [0, ...enrolmentIds])
    .where('refunds.state', '=', 'sent')
    .execute();
  const sums = new Map<number, Cents>();
  for (const { enrolment_id: id, amount_cents } of rows) {
    if (id !== null) sums.set(id, (sums.get(id) ?? 0) + amount_cents);
  }
  return sums;
}

const returnMs = dayMs;

/**
 * Finds the checkout of a return link from Stripe. The link shows this payment only: Stripe keeps it in its records, so
 * it must not be the buyer's own link. Undefined a day after the checkout was made.
 */
export async function findReturn(
  db: Db,
  token: string,
  at: Date,
): Promise<{ reference: string; state: CheckoutState; amountCents: Cents } | undefined> {
  const row = await db
    .selectFrom('card_checkouts')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['reference', 'state', 'amount_cents', 'expires_at'])
    .where('return_hash', '=', hashOfToken(token))
    .where('made_at', '>', new Date(at.getTime() - returnMs))
    .executeTakeFirst();
  return row && { reference: row.reference, state: stateOf(row, at), amountCents: row.amount_cents };
}

function stateOf({ state, expires_at }: { state: string; expires_at: Date }, at: Date): CheckoutState {
  if (state === 'making' || state === 'open') return expires_at > at ? 'open' : 'unheard';
  // The column's check constraint allows no other.
  return state as CheckoutState;
}
