import { randomUUID } from 'node:crypto';
import { createContext } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import type { Day } from '#app/lib/dates.ts';
import { minuteMs } from '#app/lib/durations.ts';
import type { Cents } from '#app/lib/money.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { endAtStripe } from './end-checkouts.server.ts';
import { isPayable, payable } from './payable.server.ts';
import type { NewCheckout, Stripe } from './stripe.server.ts';

/** Null when no keys are set: card payment then shows nowhere. */
export const stripeContext = createContext<Stripe | null>();

/** Stripe allows 30 minutes to 24 hours. */
const openMs = 60 * minuteMs;
/** The time before its end in which nobody is sent to a checkout: filling it in takes a while. */
const enoughMs = 5 * minuteMs;
type Wish = {
  enrolmentId: number;
  /** The amount that the buyer chose among the offered ones. */
  shownCents: Cents;
  /** The full address to which Stripe sends the buyer back; the token is made for this payment only. */
  returnUrl: (token: string) => string;
};

export type Started = { ok: true; url: string } | Refused;

type Refused =
  /** Something else is to pay than the page said, or nothing. */
  | { ok: false; reason: 'changed' }
  /** An earlier payment by card was completed, and Stripe has not told us yet that it arrived. */
  | { ok: false; reason: 'processing' }
  /** Another page for another amount was opened at the same moment. */
  | { ok: false; reason: 'another' }
  | { ok: false; reason: 'stripe'; message: string };

/**
 * Leads to a Checkout Session for an amount that can be paid by card of an enrolment (P29): the open one with this amount
 * if it lasts long enough, or a new one, after every other one has ended; Stripe says of each whether it was paid. If several are made at once, the first that is
 * stored is the one. The program stores a new one before it asks Stripe, so that it recognises a payment even if the
 * process ends in between. No transaction is open during the calls.
 */
export async function startCheckout(db: Db, stripe: Stripe, wish: Wish, clock: Clock): Promise<Started> {
  const when = { at: clock.now(), today: academyToday(clock) };
  const before = await db.transaction().execute((trx) => readOpen(trx, wish, when));
  if (!before.ok) return before;
  const kept = before.open.find((one) => one.lasts && one.amountCents === wish.shownCents);
  for (const other of before.open.filter((one) => one !== kept)) {
    const ended = await endAtStripe(db, stripe, other);
    if (ended.state === 'processing') return { ok: false, reason: 'processing' };
    if (ended.state === 'unknown') return { ok: false, reason: 'stripe', message: ended.message };
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
  // Nobody has the address of this checkout, so nothing is lost if Stripe does not get this request.
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

/** Opens the checkout that was made, unless another one was opened since or its amount can no longer be paid. */
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

/** Locks an enrolment and reads the checkouts that may pay it, if the amount that is wished can be paid. */
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
    // Also checkouts whose time has passed: they may have been paid before.
    .where('state', 'in', ['processing', 'open'])
    .orderBy('id')
    .execute();
  if (rows.some(({ state }) => state === 'processing')) return { ok: false, reason: 'processing' };
  const lasting = new Date(at.getTime() + enoughMs);
  const open = rows.flatMap(({ id, stripe_id: stripeId, url, amount_cents: amountCents, expires_at }) =>
    url !== null && stripeId !== null ? [{ id, stripeId, url, amountCents, lasts: expires_at > lasting }] : [],
  );
  return { ok: true, open };
}
