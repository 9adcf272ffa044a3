import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { eachItem, eachItemAlone } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { isPayable, payableOf } from './payable.server.ts';
import type { Stripe } from './stripe.server.ts';

type Checkout = { id: number; stripeId: string };

/**
 * The state of a checkout that can no longer be paid. `processing`: it was completed before, and only the webhook
 * records the payment. `unknown`: Stripe could not be asked; nothing was changed.
 */
export type Ended = { state: 'expired' | 'processing' } | { state: 'unknown'; message: string };

/**
 * Ends a checkout at Stripe and then here. Stripe refuses to end one that was completed or is over: then Stripe is asked
 * which, because its news may be hours late (it waits longer after each time that we did not take them).
 */
export async function endAtStripe(db: Db, stripe: Stripe, { id, stripeId }: Checkout): Promise<Ended> {
  const ended = await outcomeOf(stripe, stripeId);
  if (ended.state !== 'unknown') await endStored(db, id, ended.state, ['open']);
  return ended;
}

async function outcomeOf(stripe: Stripe, stripeId: string): Promise<Ended> {
  const ended = await stripe.expireCheckout(stripeId);
  if (ended.ok) return { state: 'expired' };
  if (!ended.refused) return { state: 'unknown', message: ended.message };
  const found = await stripe.checkoutStatus(stripeId);
  if (!found.ok) {
    // Stripe has none of this name, so nobody can have paid it to this account.
    return found.refused ? { state: 'expired' } : { state: 'unknown', message: found.message };
  }
  if (found.status === 'open') return { state: 'unknown', message: ended.message };
  return { state: found.status === 'complete' ? 'processing' : 'expired' };
}

const job = 'end card payments';
const quietMs = 10 * 60 * 1000;

/**
 * Ends checkouts that buyers should no longer pay: their amount cannot be paid now (places were cancelled, or it was
 * paid otherwise), or Stripe has said nothing of them for ten minutes after their time. A payment at the same moment
 * still arrives by webhook. Several processes may run it at once.
 */
export async function endCheckouts(db: Db, stripe: Stripe, at: Date): Promise<void> {
  const before = new Date(at.getTime() - quietMs);
  const unmade = await db
    .selectFrom('card_checkouts')
    .select('id')
    .where('state', '=', 'making')
    .where('made_at', '<', before)
    .execute();
  const keyOf = ({ id }: { id: number }) => `card-checkout:${id}`;
  // Nobody was given the address of these.
  await eachItem(db, { job, items: unmade, keyOf, at }, async (trx, { id }) => {
    await endStored(trx, id, 'expired', ['making']);
    return true;
  });
  const open = await db
    .selectFrom('card_checkouts')
    .select(['id', 'enrolment_id', 'amount_cents', 'stripe_id', 'expires_at'])
    .where('state', '=', 'open')
    .execute();
  const enrolmentIds = [...new Set(open.map(({ enrolment_id }) => enrolment_id))];
  const amounts = await payableOf(db, enrolmentIds, academyDay(at));
  const items = open.filter(({ enrolment_id, amount_cents, expires_at }) =>
    expires_at > at ? !isPayable(amounts.get(enrolment_id) ?? [], amount_cents) : expires_at < before,
  );
  await eachItemAlone(db, { job, items, keyOf, at }, async ({ id, stripe_id }) => {
    if (stripe_id === null) return false;
    const { state } = await endAtStripe(db, stripe, { id, stripeId: stripe_id });
    return state !== 'unknown';
  });
}

const endStored = (
  db: Db,
  id: number,
  state: 'expired' | 'processing',
  states: readonly DB['card_checkouts']['state'][],
) =>
  db
    .updateTable('card_checkouts')
    .set({ state, url: null })
    .where('id', '=', id)
    .where('state', 'in', states)
    .execute();
