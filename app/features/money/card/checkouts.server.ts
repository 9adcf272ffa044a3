import { randomUUID } from 'node:crypto';
import { createContext } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { eachItem, eachItemAlone } from '#app/jobs/each-item.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import type { Cents } from '#app/lib/money.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { payable, payableOf } from './payable.server.ts';
import type { NewCheckout, Stripe } from './stripe.server.ts';

/** Null when no keys are set: card payment then shows nowhere. */
export const stripeContext = createContext<Stripe | null>();

const minuteMs = 60 * 1000;
/** Stripe allows 30 minutes to 24 hours. */
const openMs = 60 * minuteMs;
/** For how long nobody is sent to a checkout before it ends: filling it in takes a while. */
const enoughMs = 5 * minuteMs;
/** The least and the most that Stripe takes in Australian dollars, in cents. */
const leastCents = 50;
const mostCents = 99_999_999;

export const canPayByCard = (owedCents: Cents): boolean => owedCents >= leastCents && owedCents <= mostCents;

type Wish = {
  enrolmentId: number;
  /** The amount that the page offered to pay. */
  shownCents: Cents;
  /** The full address to which Stripe sends the buyer back; the token is made for this payment only. */
  returnUrl: (token: string) => string;
};

export type Started =
  | { ok: true; url: string }
  /** Something else is owed than the page said, or nothing. */
  | { ok: false; reason: 'changed' }
  /** A bank is still working on an earlier payment by card. */
  | { ok: false; reason: 'processing' }
  | { ok: false; reason: 'stripe'; message: string };

/**
 * Leads to a Checkout Session for what can be paid by card of an enrolment (P29): an open one with the right amount, or a new one.
 * The program stores it before it asks Stripe, so that it recognises a payment even if the process ends in between. No
 * transaction is open during the call.
 */
export async function startCheckout(db: Db, stripe: Stripe, wish: Wish, clock: Clock): Promise<Started> {
  const at = clock.now();
  const begun = await db.transaction().execute((trx) => prepareCheckout(trx, wish, at));
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
    const { owedCents, open } = await readOwedAndCheckouts(trx, wish.enrolmentId, at);
    await trx
      .updateTable('card_checkouts')
      .set({ state: 'open', stripe_id: made.stripeId, url: made.url })
      .where('id', '=', id)
      .where('state', '=', 'making')
      .execute();
    if (owedCents !== wish.shownCents) return { ok: false, reason: 'changed' };
    // If two were made at once, buyers are sent to the first, and `endCheckouts` ends the other.
    return { ok: true, url: open?.url ?? made.url };
  });
}

type Making = { id: number } & NewCheckout;

async function prepareCheckout(
  trx: Trx,
  { enrolmentId, shownCents, returnUrl }: Wish,
  at: Date,
): Promise<Started | { making: Making }> {
  const { owedCents, open, processing } = await readOwedAndCheckouts(trx, enrolmentId, at);
  if (processing) return { ok: false, reason: 'processing' };
  if (owedCents !== shownCents || !canPayByCard(owedCents)) return { ok: false, reason: 'changed' };
  if (open) return { ok: true, url: open.url };
  const { reference, title, email } = await trx
    .selectFrom('enrolments')
    .select(['reference', 'title', 'email'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const token = makeToken();
  const checkout = {
    key: randomUUID(),
    amountCents: owedCents,
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
      amount_cents: owedCents,
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
async function readOwedAndCheckouts(trx: Trx, enrolmentId: number, at: Date) {
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const owedCents = await payable(trx, enrolmentId);
  const rows = await trx
    .selectFrom('card_checkouts')
    .select(['state', 'url', 'amount_cents', 'expires_at'])
    .where('enrolment_id', '=', enrolmentId)
    .where('state', 'in', ['open', 'processing'])
    .orderBy('id')
    .execute();
  const lasting = new Date(at.getTime() + enoughMs);
  const [open] = rows.flatMap(({ url, amount_cents, expires_at }) =>
    url !== null && amount_cents === owedCents && expires_at > lasting ? [{ url }] : [],
  );
  return { owedCents, open, processing: rows.some(({ state }) => state === 'processing') };
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
 * Ends checkouts that buyers should no longer pay: the amount has changed (places were cancelled, or it was paid
 * otherwise), or there is an older checkout for it. A payment at the same moment still arrives by webhook. Checkouts
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
  const owed = await payableOf(db, [...new Set(open.map(({ enrolment_id }) => enrolment_id))]);
  const kept = new Set<number>();
  const items = open.filter(({ enrolment_id, amount_cents }) => {
    const fits = owed.get(enrolment_id) === amount_cents && !kept.has(enrolment_id);
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

const endStored = (db: Db, id: number, states: readonly string[]) =>
  db
    .updateTable('card_checkouts')
    .set({ state: 'expired', url: null })
    .where('id', '=', id)
    .where('state', 'in', states)
    .execute();
