import type { Db } from '#app/db/client.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Cents } from '#app/lib/money.ts';
import { refundsToSend } from './send-refunds.server.ts';

/** Something about a card payment that a person has to look at. */
export type CardTrouble = {
  key: string;
  kind: 'dispute' | 'refund-failed' | 'refund-waits' | 'not-booked';
  /** Of the enrolment; null when it was erased or the payment has none. */
  reference: string | null;
  amountCents: Cents;
  /** Stripe's own words for it. */
  why: string;
  /** Stripe's id of the payment, by which it is found there. */
  paymentIntent: string;
  at: Date;
};

/**
 * What waits for staff (P29, P39), the latest first, at most 200 of each kind: disputes that are open or lost while
 * money is owed again, refunds that failed while the money is still due to the buyer, and refunds that Stripe has not
 * taken yet. Also payments whose event names another enrolment than their checkout, until staff assign them.
 */
export async function cardTroubles(db: Db, actor: StaffActor): Promise<CardTrouble[]> {
  demand(actor, 'money:read');
  const disputes = await db
    .selectFrom('card_disputes as dispute')
    .innerJoin('payments as payment', 'payment.id', 'dispute.payment_id')
    .leftJoin('enrolments as enrolment', 'enrolment.id', 'payment.enrolment_id')
    .select(['dispute.stripe_id', 'dispute.amount_cents', 'dispute.status', 'dispute.reason', 'opened_at'])
    .select(['payment.source', 'enrolment.reference', 'payment.enrolment_id'])
    .where('dispute.status', 'not in', ['won', 'warning_closed'])
    .orderBy('opened_at', 'desc')
    .limit(200)
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
    .limit(200)
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
    .execute();
  const doubtful = await db
    .selectFrom('doubtful_card_payments as doubtful')
    .innerJoin('payments as payment', 'payment.id', 'payment_id')
    .select(['payment_id', 'key', 'doubtful.reference', 'key_reference', 'amount_cents', 'payment.source'])
    .select('payment.recorded_at')
    .where('payment.enrolment_id', 'is', null)
    .orderBy('payment_id', 'desc')
    .limit(200)
    .execute();
  return [
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
        paymentIntent: source,
        at: recorded_at,
      }),
    ),
    ...disputes
      .filter(({ status, enrolment_id }) => status !== 'lost' || (balance(enrolment_id) ?? 1) > 0)
      .map(
        ({ stripe_id, amount_cents, status, reason, source, reference, opened_at }): CardTrouble => ({
          key: stripe_id,
          kind: 'dispute',
          reference,
          amountCents: amount_cents,
          why: `${reason}, ${status}`.replaceAll('_', ' '),
          paymentIntent: source,
          at: opened_at,
        }),
      ),
    ...failed
      .filter(({ enrolment_id }) => (balance(enrolment_id) ?? -1) < 0)
      .map(
        ({ id, amount_cents, fault, source, reference, tried_at }): CardTrouble => ({
          key: `refund ${id}`,
          kind: 'refund-failed',
          reference,
          amountCents: amount_cents,
          why: (fault ?? 'no reason given').replaceAll('_', ' '),
          paymentIntent: source,
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
        paymentIntent,
        at: recorded_at,
      }),
    ),
  ];
}
