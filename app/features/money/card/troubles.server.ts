import type { Db } from '#app/db/client.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { dayMs } from '#app/lib/durations.ts';
import type { Cents } from '#app/lib/money.ts';
import { toldWithinMs } from './checkout-state.server.ts';
import { refundsToSend } from './send-refunds.server.ts';

/** Something about a card payment that a person has to look at. */
export type CardTrouble = {
  key: string;
  kind: 'dispute' | 'dispute-lost' | 'refund-failed' | 'refund-waits' | 'not-booked' | 'unheard';
  /** Of the enrolment; null when it was erased or the payment has none. */
  reference: string | null;
  amountCents: Cents;
  /** Stripe's own words for it, or ours where Stripe says nothing. */
  why: string;
  /** Stripe's id of the payment, or of the payment page while no payment is known, by which it is found there. */
  stripeId: string;
  at: Date;
};

/** A refund that Stripe takes in its first day needs nobody. */
const refundsWaitMs = dayMs;
const mostOfKind = 200;

/** How many of these a person has to do something about: not refunds of the last day, which we send again by ourselves. */
export async function countCardTroubles(db: Db, actor: StaffActor, now: Date): Promise<number> {
  const troubles = await cardTroubles(db, actor, now);
  return troubles.filter(({ kind, at }) => kind !== 'refund-waits' || at.getTime() < now.getTime() - refundsWaitMs)
    .length;
}

/**
 * Card payments that wait for staff (P29, P39), the latest first, at most 200 of each kind: disputes that are open or
 * lost while money is owed again, refunds that failed while the money is still due to the buyer, and refunds that
 * Stripe has not taken yet. Also payments whose event names another enrolment than their checkout, until staff assign
 * them, and payments without news for so long that Stripe has given up telling.
 */
export async function cardTroubles(db: Db, actor: StaffActor, at: Date): Promise<CardTrouble[]> {
  requirePermission(actor, 'money:read');
  const disputes = await db
    .selectFrom('card_disputes as dispute')
    .innerJoin('payments as payment', 'payment.id', 'dispute.payment_id')
    .leftJoin('enrolments as enrolment', 'enrolment.id', 'payment.enrolment_id')
    .select(['dispute.stripe_id', 'dispute.amount_cents', 'dispute.status', 'dispute.reason', 'opened_at'])
    .select(['payment.source', 'enrolment.reference', 'payment.enrolment_id'])
    .where('dispute.status', 'not in', ['won', 'warning_closed'])
    .orderBy('opened_at', 'desc')
    .execute();
  const failed = await db
    .selectFrom('card_refunds')
    .innerJoin('refunds as refund', 'refund.id', 'refund_id')
    .innerJoin('payments as payment', 'payment.id', 'refund.payment_id')
    .leftJoin('enrolments as enrolment', 'enrolment.id', 'payment.enrolment_id')
    .select(['refund.id', 'refund.amount_cents', 'fault', 'tried_at', 'payment.source', 'enrolment.reference'])
    .select('payment.enrolment_id')
    .where('refund.state', '=', 'failed')
    .orderBy('refund.id', 'desc')
    .execute();
  const ids = [...disputes, ...failed].flatMap(({ enrolment_id }) => enrolment_id ?? []);
  const accounts = await accountsOf(db, [...new Set(ids)]);
  const balance = (id: number | null) => {
    const account = accounts.get(id ?? 0);
    return account ? balanceOf(account) : null;
  };
  const waiting = await refundsToSend(db)
    .leftJoin('enrolments', 'enrolments.id', 'payments.enrolment_id')
    .select(['enrolments.reference', 'refunds.recorded_at'])
    .orderBy('refunds.id', 'desc')
    .limit(mostOfKind)
    .execute();
  const doubtful = await db
    .selectFrom('doubtful_card_payments as doubtful')
    .innerJoin('payments as payment', 'payment.id', 'payment_id')
    .select(['payment_id', 'key', 'doubtful.reference', 'key_reference', 'amount_cents', 'payment.source'])
    .select('payment.recorded_at')
    .where('payment.enrolment_id', 'is', null)
    .orderBy('payment_id', 'desc')
    .limit(mostOfKind)
    .execute();
  const unheard = await db
    .selectFrom('card_checkouts as checkout')
    .innerJoin('enrolments as enrolment', 'enrolment.id', 'enrolment_id')
    .select(['checkout.id', 'amount_cents', 'checkout.stripe_id', 'made_at', 'enrolment.reference'])
    .where('checkout.state', '=', 'processing')
    .where('expires_at', '<', new Date(at.getTime() - toldWithinMs))
    .orderBy('checkout.id', 'desc')
    .limit(mostOfKind)
    .execute();
  return [
    ...unheard.map(
      ({ id, amount_cents, stripe_id, made_at, reference }): CardTrouble => ({
        key: `checkout ${id}`,
        kind: 'unheard',
        reference,
        amountCents: amount_cents,
        why: 'The buyer completed the payment page, and Stripe has not told us whether the money arrived',
        stripeId: stripe_id ?? 'not known',
        at: made_at,
      }),
    ),
    ...doubtful.map(
      ({ payment_id, key, reference, key_reference, amount_cents, source, recorded_at }): CardTrouble => ({
        key: `payment ${payment_id}`,
        kind: 'not-booked',
        reference: null,
        amountCents: amount_cents,
        why: `Stripe names ${reference ?? 'no enrolment'}; ${
          key_reference
            ? `the payment page with the key ${key} was made for ${key_reference}`
            : `we made no payment page with the key ${key}`
        }`,
        stripeId: source,
        at: recorded_at,
      }),
    ),
    ...disputes
      .filter(({ status, enrolment_id }) => status !== 'lost' || (balance(enrolment_id) ?? 1) > 0)
      .slice(0, mostOfKind)
      .map(
        ({ stripe_id, amount_cents, status, reason, source, reference, opened_at }): CardTrouble => ({
          key: stripe_id,
          kind: status === 'lost' ? 'dispute-lost' : 'dispute',
          reference,
          amountCents: amount_cents,
          why: `${reason}, ${status}`.replaceAll('_', ' '),
          stripeId: source,
          at: opened_at,
        }),
      ),
    ...failed
      .filter(({ enrolment_id }) => (balance(enrolment_id) ?? -1) < 0)
      .slice(0, mostOfKind)
      .map(
        ({ id, amount_cents, fault, source, reference, tried_at }): CardTrouble => ({
          key: `refund ${id}`,
          kind: 'refund-failed',
          reference,
          amountCents: amount_cents,
          why: (fault ?? 'no reason given').replaceAll('_', ' '),
          stripeId: source,
          at: tried_at,
        }),
      ),
    ...waiting.map(
      ({ id, amount_cents, fault, paymentIntent, reference, recorded_at }): CardTrouble => ({
        key: `refund ${id}`,
        kind: 'refund-waits',
        reference,
        amountCents: amount_cents,
        why: fault ?? 'not sent yet',
        stripeId: paymentIntent,
        at: recorded_at,
      }),
    ),
  ];
}
