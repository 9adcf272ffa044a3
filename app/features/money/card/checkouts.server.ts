import { randomUUID } from 'node:crypto';
import { createContext } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { eachItem, eachItemAlone } from '#app/jobs/each-item.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import { type Day, dayIn } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { isPayable, payable, payableOf } from './payable.server.ts';
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

export type Started = { ok: true; url: string } | Refused;

type Refused =
  /** Something else is to pay than the page said, or nothing. */
  | { ok: false; reason: 'changed' }
  /** A bank is still working on an earlier payment by card. */
  | { ok: false; reason: 'processing' }
  /** Stripe does not end an earlier payment: it was paid, or its time was over, at this moment. */
  | { ok: false; reason: 'ended' }
  /** Another page for another amount was opened at the same moment. */
  | { ok: false; reason: 'another' }
  | { ok: false; reason: 'stripe'; message: string };

/**
 * Leads to a Checkout Session for an amount that can be paid by card of an enrolment (P29): the open one with this amount
 * if it lasts long enough, or a new one, after every other one has ended. If several are made at once, the first that is
 * stored is the one. The program stores a new one before it asks Stripe, so that it recognises a payment even if the
 * process ends in between. No transaction is open during the calls.
 */
export async function startCheckout(db: Db, stripe: Stripe, wish: Wish, clock: Clock): Promise<Started> {
  const when = { at: clock.now(), today: academyToday(clock) };
  const before = await db.transaction().execute((trx) => readOpen(trx, wish, when));
  if (!before.ok) return before;
  const kept = before.open.find((one) => one.lasts && one.amountCents === wish.shownCents);
  for (const other of before.open.filter((one) => one !== kept)) {
    const ended = await stripe.expireCheckout(other.stripeId);
    if (!ended.ok) {
      return ended.refused ? { ok: false, reason: 'ended' } : { ok: false, reason: 'stripe', message: ended.message };
    }
    await endStored(db, other.id, ['open']);
  }
  if (kept) return { ok: true, url: kept.url };
  const { id, ...checkout } = await prepareCheckout(db, wish, when);
  const made = await stripe.createCheckout({
    ...checkout,
    // Stripe goes by the true time.
    expiresAt: new Date(checkout.expiresAt.getTime() - clock.aheadMs),
  });
  if (!made.ok) {
    await db.updateTable('card_checkouts').set({ state: 'failed' }).where('id', '=', id).execute();
    return { ok: false, reason: 'stripe', message: made.message };
  }
  const stored = await db.transaction().execute((trx) => storeCheckout(trx, wish, { id, made, when }));
  // Nobody has the address of this one, so nothing is lost if Stripe does not hear this.
  if (!stored.ok || stored.url !== made.url) await stripe.expireCheckout(made.stripeId);
  return stored;
}

type When = { at: Date; today: Day };

async function prepareCheckout(
  db: Db,
  { enrolmentId, shownCents, returnUrl }: Wish,
  { at }: When,
): Promise<{ id: number } & NewCheckout> {
  const { reference, title, email } = await db
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
  const { id } = await db
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
  return { id, ...checkout };
}

type Made = { id: number; made: { stripeId: string; url: string }; when: When };

/** Opens the checkout that was made, unless another one was opened meanwhile or its amount can no longer be paid. */
async function storeCheckout(trx: Trx, wish: Wish, { id, made, when }: Made): Promise<Started> {
  const now = await readOpen(trx, wish, when);
  const [first] = now.ok ? now.open : [];
  if (now.ok && !first) {
    const opened = { state: 'open', stripe_id: made.stripeId, url: made.url } as const;
    await trx.updateTable('card_checkouts').set(opened).where('id', '=', id).where('state', '=', 'making').execute();
    return { ok: true, url: made.url };
  }
  await trx.deleteFrom('card_checkouts').where('id', '=', id).where('state', '=', 'making').execute();
  if (!now.ok) return now;
  return first?.amountCents === wish.shownCents ? { ok: true, url: first.url } : { ok: false, reason: 'another' };
}

type Open = { id: number; stripeId: string; url: string; amountCents: Cents; lasts: boolean };

/** Locks an enrolment and reads the checkouts that can pay it now, if the amount that is wished can be paid. */
async function readOpen(
  trx: Trx,
  { enrolmentId, shownCents }: Wish,
  { at, today }: When,
): Promise<{ ok: true; open: Open[] } | Refused> {
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!isPayable(await payable(trx, enrolmentId, today), shownCents)) return { ok: false, reason: 'changed' };
  const rows = await trx
    .selectFrom('card_checkouts')
    .select(['id', 'stripe_id', 'state', 'url', 'amount_cents', 'expires_at'])
    .where('enrolment_id', '=', enrolmentId)
    .where((row) => row.or([row('state', '=', 'processing'), row('state', '=', 'open').and('expires_at', '>', at)]))
    .orderBy('id')
    .execute();
  if (rows.some(({ state }) => state === 'processing')) return { ok: false, reason: 'processing' };
  const lasting = new Date(at.getTime() + enoughMs);
  const open = rows.flatMap(({ id, stripe_id: stripeId, url, amount_cents: amountCents, expires_at }) =>
    url !== null && stripeId !== null ? [{ id, stripeId, url, amountCents, lasts: expires_at > lasting }] : [],
  );
  return { ok: true, open };
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
 * was paid otherwise). A payment at the same moment still arrives by webhook. Checkouts without news from Stripe end some
 * time after they expire. Several processes may do so at once.
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
    .where('expires_at', '>', at)
    .execute();
  const enrolmentIds = [...new Set(open.map(({ enrolment_id }) => enrolment_id))];
  const amounts = await payableOf(db, enrolmentIds, dayIn('Australia/Brisbane', at));
  const items = open.filter(
    ({ enrolment_id, amount_cents }) => !isPayable(amounts.get(enrolment_id) ?? [], amount_cents),
  );
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
