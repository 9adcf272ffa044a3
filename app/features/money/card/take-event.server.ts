import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Clock } from '#app/lib/clock.ts';
import type { Day } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import type { Stripe } from './stripe.server.ts';
import type { CardEvent, CheckoutFact, DisputeFact, RefundFact } from './stripe-events.ts';

type At = { at: Date; aheadMs: number };

/** `again`: it could not be taken now, and Stripe has to send it again. */
export type Taken = 'done' | 'other' | 'again';

/**
 * Records an event of Stripe (P29, P39). Repeats and another order of events give the same result: each fact is
 * recorded once under Stripe's id, a payment that ended stays ended, and an event waits for its payment if that is not
 * recorded yet. The places stay as they are.
 */
export async function takeEvent(
  { db, stripe, clock }: { db: Db; stripe: Stripe; clock: Clock },
  event: CardEvent,
): Promise<Taken> {
  const when = { at: clock.now(), aheadMs: clock.aheadMs };
  switch (event.kind) {
    case 'other':
      return 'other';
    case 'refund':
      await inOrder(db, event.refund.paymentIntent, (trx) => applyOrKeep(trx, event, when));
      return 'done';
    case 'dispute':
      await inOrder(db, event.dispute.paymentIntent, (trx) => applyOrKeep(trx, event, when));
      return 'done';
    case 'charge-refunded': {
      // The event holds only the sum.
      const { id, at, paymentIntent } = event;
      const answer = await stripe.refundsOf(paymentIntent);
      if (!answer.ok) return answer.refused ? 'other' : 'again';
      await inOrder(db, paymentIntent, async (trx) => {
        for (const refund of answer.refunds) {
          await applyOrKeep(trx, { kind: 'refund', id: `${id} ${refund.stripeId}`, at, refund }, when);
        }
      });
      return 'done';
    }
    default:
      return takeCheckout(db, event, when);
  }
}

/** One after the other for each payment, so that none misses what another records at the moment. */
function inOrder<T>(db: Db, paymentIntent: string, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`stripe ${paymentIntent}`}, 0))`.execute(trx);
    return work(trx);
  });
}

const keptMs = 30 * dayMs;

/** Removes what waited for its payment for 30 days: it concerns another program on the same Stripe account. */
export async function forgetWaitingEvents(db: Db, at: Date): Promise<void> {
  const before = new Date(at.getTime() - keptMs);
  await db.deleteFrom('waiting_card_events').where('received_at', '<', before).execute();
}

type CheckoutEvent = Extract<CardEvent, { checkout: CheckoutFact }>;

async function takeCheckout(db: Db, { kind, checkout, at: toldAt }: CheckoutEvent, when: At): Promise<Taken> {
  const { key, stripeId, paymentIntent, paid } = checkout;
  // Of another program on the same account.
  if (key === null) return 'other';
  await inOrder(db, paymentIntent ?? stripeId, async (trx) => {
    const arrived = (kind === 'checkout-completed' && paid) || kind === 'checkout-paid';
    const state = arrived ? 'paid' : outcomes[kind];
    await trx
      .updateTable('card_checkouts')
      .set({ state, stripe_id: stripeId, url: null })
      .where('key', '=', key)
      .where('state', 'in', before[state])
      .execute();
    if (!arrived || !paymentIntent || checkout.amountCents === 0) return;
    await recordArrival(trx, { ...checkout, key, paymentIntent }, { ...when, toldAt });
  });
  return 'done';
}

const outcomes = {
  'checkout-completed': 'processing',
  'checkout-paid': 'paid',
  'checkout-failed': 'failed',
  'checkout-expired': 'expired',
} as const;

/** The states before each state of a checkout; a paid checkout stays paid. */
const before = {
  processing: ['making', 'open'],
  paid: ['making', 'open', 'processing', 'failed', 'expired'],
  failed: ['making', 'open', 'processing'],
  expired: ['making', 'open'],
} as const;

type Arrival = CheckoutFact & { key: string; paymentIntent: string };

/**
 * Records the amount that arrived, whatever the balance is. The payment goes to the enrolment of the checkout if the
 * event names the same enrolment. Otherwise it has none, and staff see both. Money in other currencies has none either.
 */
async function recordArrival(
  trx: Trx,
  { key, reference, paymentIntent, amountCents, currency }: Arrival,
  { at, aheadMs, toldAt }: At & { toldAt: Date },
): Promise<void> {
  const ours = await trx
    .selectFrom('card_checkouts')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['enrolments.id', 'enrolments.reference'])
    .where('key', '=', key)
    .executeTakeFirst();
  const agreed = ours !== undefined && ours.reference === reference;
  const foreign = currency !== 'AUD';
  const { paymentId, repeat } = await recordPayment(trx, {
    enrolmentId: agreed && !foreign ? ours.id : null,
    amountCents,
    currency,
    // Stripe tells the true time of it.
    receivedOn: academyDay(new Date(toldAt.getTime() + aheadMs)),
    method: 'card',
    words: `Card payment ${reference ?? ''}${foreign ? `, in ${currency}` : ''}`,
    actor: theProgram,
    at,
    idempotencyKey: paymentIntent,
  });
  if (repeat) return;
  if (!agreed) {
    await trx
      .insertInto('doubtful_card_payments')
      .values({ payment_id: paymentId, key, reference, key_reference: ours?.reference ?? null })
      .execute();
  }
  const waiting = await trx
    .deleteFrom('waiting_card_events')
    .where('payment_intent', '=', paymentIntent)
    .returning('event')
    .execute();
  for (const { event } of waiting) {
    // Written by `keep`.
    const fact = event as unknown as Kept;
    await apply(trx, { ...fact, at: new Date(fact.at) }, { paymentId, at, aheadMs });
  }
}

/** The news about a payment. */
type Fact = { id: string; at: Date } & (
  | { kind: 'refund'; refund: RefundFact }
  | { kind: 'dispute'; dispute: DisputeFact }
);
type Kept = { id: string; at: string } & Fact;

async function applyOrKeep(trx: Trx, fact: Fact, when: At): Promise<void> {
  const paymentIntent = fact.kind === 'refund' ? fact.refund.paymentIntent : fact.dispute.paymentIntent;
  const payment = await trx.selectFrom('payments').select('id').where('source', '=', paymentIntent).executeTakeFirst();
  if (payment) return apply(trx, fact, { paymentId: payment.id, ...when });
  await trx
    .insertInto('waiting_card_events')
    .values({ id: fact.id, payment_intent: paymentIntent, event: JSON.stringify(fact), received_at: when.at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** `sentOn`: when a refund that is not recorded yet was sent. */
type Known = { paymentId: number; at: Date; sentOn?: Day };

function apply(trx: Trx, fact: Fact, { aheadMs, ...when }: At & { paymentId: number }): Promise<void> {
  // One that waited since an older release has no time of its own.
  const created = fact.kind === 'refund' ? fact.refund.created : null;
  const sentAt = created ? created * 1000 : fact.at.getTime();
  const known = { ...when, sentOn: academyDay(new Date(sentAt + aheadMs)) };
  return fact.kind === 'refund'
    ? applyRefund(trx, fact.refund, known)
    : applyDispute(trx, { ...fact.dispute, toldAt: fact.at }, known);
}

/** Records a refund that Stripe has taken, ours or one made at Stripe; and that it failed, which is final. */
export async function applyRefund(trx: Trx, refund: RefundFact, { paymentId, at, sentOn }: Known): Promise<void> {
  const { stripeId, source, amountCents, failed, fault } = refund;
  const ours = await trx
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('source', '=', source ?? '')
    .executeTakeFirst();
  const refundId =
    ours?.id ??
    (await recordOutside(trx, { paymentId, amountCents, source: stripeId, at, sentOn }, 'Refunded at Stripe'));
  await trx
    .insertInto('card_refunds')
    .values({ refund_id: refundId, stripe_id: stripeId, fault, tried_at: at })
    .onConflict((conflict) =>
      // A failed refund keeps its reason when an older event comes later.
      conflict.column('refund_id').doUpdateSet(failed ? { stripe_id: stripeId, fault } : { stripe_id: stripeId }),
    )
    .execute();
  if (failed) await failRefund(trx, { refundId, actor: theProgram, at });
}

type Outside = Known & { amountCents: number; source: string };

/** Money that left without us: recorded even if it is more than was left. */
async function recordOutside(trx: Trx, { source, ...refund }: Outside, reason: string): Promise<number> {
  const recorded = await recordRefund(trx, {
    ...refund,
    reason,
    happened: true,
    actor: theProgram,
    idempotencyKey: source,
  });
  if (!recorded.ok) throw new Error(`refund ${source} was not recorded`);
  return recorded.refundId;
}

/** States of a dispute in which the money is not with the academy. */
const takenBack = ['needs_response', 'under_review', 'lost'];
/** States after which nothing follows. */
const endedStates = ['won', 'lost', 'warning_closed'];

/** While a dispute lasts, and when it is lost, its money is a refund: it is owed again. Won, that refund failed. */
async function applyDispute(
  trx: Trx,
  { stripeId, amountCents, status, reason, toldAt }: DisputeFact & { toldAt: Date },
  { paymentId, at, sentOn }: Known,
): Promise<void> {
  const known = await trx.selectFrom('card_disputes').selectAll().where('stripe_id', '=', stripeId).executeTakeFirst();
  if (known && (endedStates.includes(known.status) || known.changed_at > toldAt)) return;
  const refundId = takenBack.includes(status)
    ? await recordOutside(trx, { paymentId, amountCents, source: stripeId, at, sentOn }, 'Disputed by the cardholder')
    : (known?.refund_id ?? null);
  if (refundId !== null && status === 'won') await failRefund(trx, { refundId, actor: theProgram, at });
  const facts = { refund_id: refundId, amount_cents: amountCents, status, reason, changed_at: toldAt };
  await trx
    .insertInto('card_disputes')
    .values({ ...facts, stripe_id: stripeId, payment_id: paymentId, opened_at: toldAt })
    .onConflict((conflict) => conflict.column('stripe_id').doUpdateSet(facts))
    .execute();
}
