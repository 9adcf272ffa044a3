import { randomUUID } from 'node:crypto';
import { createContext } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { eachItem, eachItemAlone } from '#app/jobs/each-item.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import { type Day, dayIn } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { isPayable, payableOf, payable as readAmounts } from './payable.server.ts';
import type { NewCheckout, Stripe } from './stripe.server.ts';

/** Null when no keys are set: card payment then shows nowhere. */
export const stripeContext = createContext<Stripe | null>();

const minuteMs = 60 * 1000;
/** Stripe allows 30 minutes to 24 hours. */
const openMs = 60 * minuteMs;
/** For how long nobody is sent to a checkout before it ends: filling it in takes a while. */
const enoughMs = 5 * minuteMs;
type Wish = {
  enrolmentId: number;
  /** The amount that the buyer chose of those that the page offered. */
  shownCents: Cents;
  /** The full address to which Stripe sends the buyer back; the token is made for this payment only. */
  returnUrl: (token: string) => string;
};

export type Started =
  | { ok: true; url: string }
  /** Something else is to pay than the page said, or nothing. */
  | { ok: false; reason: 'changed' }
  /** An earlier payment by card has ended at Stripe, or a bank is still working on it. */
  | { ok: false; reason: 'processing' }
  | { ok: false; reason: 'stripe'; message: string };

/**
 * Leads to a Checkout Session for an amount that can be paid by card of an enrolment (P29): the open one with this amount, or
 * a new one. One with another amount is ended first, so that nobody pays an instalment and everything. The program stores
 * it before it asks Stripe, so that it recognises a payment even if the process ends in between. No transaction is open
 * during the calls.
 */
export async function startCheckout(db: Db, stripe: Stripe, wish: Wish, clock: Clock): Promise<Started> {
  const when = { at: clock.now(), today: academyToday(clock) };
  const before = await db.transaction().execute((trx) => readPayable(trx, wish.enrolmentId, when));
  for (const other of before.open.filter(({ amountCents }) => amountCents !== wish.shownCents)) {
    const ended = await stripe.expireCheckout(other.stripeId);
    // Refused: it was paid just now, or its time had passed; the webhook tells which.
    if (!ended.ok) {
      return ended.refused
        ? { ok: false, reason: 'processing' }
        : { ok: false, reason: 'stripe', message: ended.message };
    }
    await endStored(db, other.id, ['open']);
  }
  const begun = await db.transaction().execute((trx) => prepareCheckout(trx, wish, when));
  if (!('making' in begun)) return begun;
  const { id, ...checkout } = begun.making;
  const made = await stripe.createCheckout({
    ...checkout,
    // Stripe goes by the true time.
    expiresAt: new Date(checkout.expiresAt.getTime() - clock.aheadMs),
  });
  if (!made.ok) {
    await db.updateTable('card_checkouts').set({ state: 'failed' }).where('id', '=', id).execute();
    return { ok: false, reason: 'stripe', message: made.message };
  }
  return db.transaction().execute(async (trx) => {
    const { payments, open } = await readPayable(trx, wish.enrolmentId, when);
    await trx
      .updateTable('card_checkouts')
      .set({ state: 'open', stripe_id: made.stripeId, url: made.url })
      .where('id', '=', id)
      .where('state', '=', 'making')
      .execute();
    if (!isPayable(payments, wish.shownCents)) return { ok: false, reason: 'changed' };
    // If two were made at once, buyers are sent to the first, and `endCheckouts` ends the other.
    const [first] = open.filter((one) => one.lasts && one.amountCents === wish.shownCents);
    return { ok: true, url: first?.url ?? made.url };
  });
}

type Making = { id: number } & NewCheckout;
type When = { at: Date; today: Day };

async function prepareCheckout(
  trx: Trx,
  { enrolmentId, shownCents, returnUrl }: Wish,
  when: When,
): Promise<Started | { making: Making }> {
  const { at } = when;
  const { payments, open, processing } = await readPayable(trx, enrolmentId, when);
  if (processing) return { ok: false, reason: 'processing' };
  if (!isPayable(payments, shownCents)) return { ok: false, reason: 'changed' };
  const [lasting] = open.filter((one) => one.lasts && one.amountCents === shownCents);
  if (lasting) return { ok: true, url: lasting.url };
  const { reference, title, email } = await trx
    .selectFrom('enrolments')
    .select(['reference', 'title', 'email'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const token = makeToken();
  const checkout = {
    key: randomUUID(),
    amountCents: shownCents,
    reference,
    title,
    email,
    expiresAt: new Date(at.getTime() + openMs),
    returnUrl: returnUrl(token),
  };
  const { id } = await trx
    .insertInto('card_checkouts')
    .values({
      key: checkout.key,
      enrolment_id: enrolmentId,
      amount_cents: shownCents,
      state: 'making',
      made_at: at,
      expires_at: checkout.expiresAt,
      return_hash: hashOfToken(token),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { making: { id, ...checkout } };
}

/** Locks an enrolment and reads what can be paid by card, and the checkouts that may already be paying it. */
async function readPayable(trx: Trx, enrolmentId: number, { at, today }: When) {
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const payments = await readAmounts(trx, enrolmentId, today);
  const rows = await trx
    .selectFrom('card_checkouts')
    .select(['id', 'stripe_id', 'state', 'url', 'amount_cents', 'expires_at'])
    .where('enrolment_id', '=', enrolmentId)
    .where('state', 'in', ['open', 'processing'])
    .orderBy('id')
    .execute();
  const lasting = new Date(at.getTime() + enoughMs);
  const open = rows.flatMap(({ id, stripe_id: stripeId, url, amount_cents: amountCents, expires_at }) =>
    url !== null && stripeId !== null ? [{ id, stripeId, url, amountCents, lasts: expires_at > lasting }] : [],
  );
  return { payments, open, processing: rows.some(({ state }) => state === 'processing') };
}

/** The state of the payment for a buyer who comes back from Stripe; `none` when there was no checkout. */
export type CheckoutState = 'none' | 'open' | 'processing' | 'paid' | 'failed' | 'expired';

/** The latest checkout of an enrolment. Only Stripe's webhook says that it is paid. */
export async function latestCheckout(
  db: Db,
  enrolmentId: number,
): Promise<{ state: CheckoutState; amountCents: Cents }> {
  const row = await db
    .selectFrom('card_checkouts')
    .select(['state', 'amount_cents'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row) return { state: 'none', amountCents: 0 };
  return { state: stateOf(row), amountCents: row.amount_cents };
}

const returnMs = 24 * 60 * minuteMs;

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
    .select(['reference', 'state', 'amount_cents'])
    .where('return_hash', '=', hashOfToken(token))
    .where('made_at', '>', new Date(at.getTime() - returnMs))
    .executeTakeFirst();
  return row && { reference: row.reference, state: stateOf(row), amountCents: row.amount_cents };
}

// The column's check constraint allows no other.
const stateOf = ({ state }: { state: string }) => (state === 'making' ? 'open' : state) as CheckoutState;

/**
 * Ends checkouts that buyers should no longer pay: their amount is none that can be paid now (places were cancelled, or it
 * was paid otherwise), or there is an older checkout of the enrolment. A payment at the same moment still arrives by webhook. Checkouts
 * without news from Stripe end some time after they expire. Several processes may do so at once.
 */
export async function endCheckouts(db: Db, stripe: Stripe, at: Date): Promise<void> {
  const tenMinutesAgo = new Date(at.getTime() - 10 * minuteMs);
  const stale = await db
    .selectFrom('card_checkouts')
    .select('id')
    .where((row) =>
      row.or([
        row('state', '=', 'open').and('expires_at', '<', tenMinutesAgo),
        row('state', '=', 'making').and('made_at', '<', tenMinutesAgo),
      ]),
    )
    .execute();
  const keyOf = ({ id }: { id: number }) => `card-checkout:${id}`;
  await eachItem(db, { job, items: stale, keyOf, at }, async (trx, { id }) => {
    await endStored(trx, id, ['open', 'making']);
    return true;
  });
  const open = await db
    .selectFrom('card_checkouts')
    .select(['id', 'enrolment_id', 'amount_cents', 'stripe_id'])
    .where('state', '=', 'open')
    .orderBy('id')
    .execute();
  const enrolmentIds = [...new Set(open.map(({ enrolment_id }) => enrolment_id))];
  const payable = await payableOf(db, enrolmentIds, dayIn('Australia/Brisbane', at));
  const kept = new Set<number>();
  const items = open.filter(({ enrolment_id, amount_cents }) => {
    const fits = isPayable(payable.get(enrolment_id) ?? [], amount_cents) && !kept.has(enrolment_id);
    if (fits) kept.add(enrolment_id);
    return !fits;
  });
  await eachItemAlone(db, { job, items, keyOf, at }, async ({ id, stripe_id }) => {
    if (stripe_id === null) return false;
    const ended = await stripe.expireCheckout(stripe_id);
    // Refused: it is paid or over already, which the webhook tells.
    if (!ended.ok && !ended.refused) return false;
    await endStored(db, id, ['open']);
    return true;
  });
}

const job = 'end card payments';

const endStored = (db: Db, id: number, states: readonly DB['card_checkouts']['state'][]) =>
  db
    .updateTable('card_checkouts')
    .set({ state: 'expired', url: null })
    .where('id', '=', id)
    .where('state', 'in', states)
    .execute();
