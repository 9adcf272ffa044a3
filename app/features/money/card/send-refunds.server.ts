import type { Db } from '#app/db/client.server.ts';
import { failRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { eachItemAlone, limitOf } from '#app/jobs/each-item.server.ts';
import type { Stripe } from './stripe.server.ts';
import { applyRefund } from './take-event.server.ts';

const againMs = 30 * 1000;
const job = 'send card refunds';

/**
 * Has Stripe send the refunds of card payments that staff recorded. Each is recorded first and sent afterwards, again
 * and again until Stripe has taken or refused it: under one idempotency key, and after the first time only when Stripe
 * does not know it yet, because keys are forgotten after a day. Several processes may do so at once.
 */
export async function sendCardRefunds(db: Db, stripe: Stripe, at: Date): Promise<void> {
  const items = await refundsToSend(db)
    // Refunds that Stripe keeps putting off must not hold up the others.
    .orderBy('card_refunds.tried_at', (order) => order.asc().nullsFirst())
    .orderBy('refunds.id')
    .limit(limitOf(job, 20))
    .execute();
  const keyOf = ({ id }: Waiting) => `refund:${id}`;
  await eachItemAlone(db, { job, items, keyOf, at }, async (refund) => {
    const claim = await db
      .insertInto('card_refunds')
      .values({ refund_id: refund.id, tried_at: at })
      .onConflict((conflict) =>
        conflict
          .column('refund_id')
          .doUpdateSet({ tried_at: at })
          .where(({ or, eb }) =>
            or([
              eb('card_refunds.tried_at', '<', new Date(at.getTime() - againMs)),
              // A time that a wrong clock wrote.
              eb('card_refunds.tried_at', '>', new Date(at.getTime() + againMs)),
            ]),
          )
          .where('card_refunds.stripe_id', 'is', null),
      )
      .returning('refund_id')
      .executeTakeFirst();
    if (!claim) return false;
    await send(db, stripe, refund, at);
    return true;
  });
}

/** Refunds of payments that came by Stripe, recorded by staff and not yet taken by it. */
export const refundsToSend = (db: Db) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('card_refunds', 'card_refunds.refund_id', 'refunds.id')
    .select(['refunds.id', 'refunds.source', 'refunds.payment_id', 'refunds.amount_cents'])
    .select(['payments.source as paymentIntent', 'card_refunds.tried_at', 'card_refunds.fault'])
    .where('payments.method', '=', 'card')
    .where('payments.source', 'like', 'pi\\_%')
    .where('refunds.state', '=', 'sent')
    .where('card_refunds.stripe_id', 'is', null)
    // The bank has taken a dispute's money already.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('card_disputes').select('refund_id').whereRef('refund_id', '=', 'refunds.id'))),
    );

type Waiting = Awaited<ReturnType<ReturnType<typeof refundsToSend>['execute']>>[number];

async function send(db: Db, stripe: Stripe, refund: Waiting, at: Date): Promise<void> {
  const { id, source, payment_id, amount_cents, paymentIntent } = refund;
  const answer = await takenBefore(stripe, refund);
  const result =
    answer.ok && answer.refund === undefined
      ? await stripe.refund({ source, paymentIntent, amountCents: amount_cents })
      : answer;
  await db.transaction().execute(async (trx) => {
    if (result.ok) {
      if (result.refund) await applyRefund(trx, result.refund, { paymentId: payment_id, at });
      return;
    }
    await trx.updateTable('card_refunds').set({ fault: result.message }).where('refund_id', '=', id).execute();
    if (result.refused) await failRefund(trx, { refundId: id, actor: theProgram, at });
  });
}

/** The refund as Stripe has it from an attempt whose answer never arrived. */
async function takenBefore(stripe: Stripe, { tried_at, paymentIntent, source }: Waiting) {
  if (tried_at === null) return { ok: true, refund: undefined } as const;
  const answer = await stripe.refundsOf(paymentIntent);
  if (!answer.ok) return { ...answer, refused: false };
  return { ok: true, refund: answer.refunds.find((one) => one.source === source) } as const;
}
