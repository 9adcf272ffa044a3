import { expect } from 'vitest';
import { startCheckout } from '#app/features/money/card/checkouts.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import type { CardEvent, CheckoutFact, DisputeFact } from '#app/features/money/card/stripe-events.ts';
import { takeEvent } from '#app/features/money/card/take-event.server.ts';
import { earliest } from './calendar.ts';
import type { Scene } from './commands.ts';
import { promisesAgree } from './documents.ts';
import type { Outcome } from './stage.ts';
import type { Enrolment } from './world.ts';

type Dispute = { id: string; cents: number; at: Date };
type CardPaid = { intent: string; cents: number; dispute: Dispute | null };
const paidByCard = new WeakMap<Enrolment, CardPaid[]>();

let made = 0;
const stripe: Stripe = {
  webhookSecret: '',
  createCheckout: async () => {
    made += 1;
    return { ok: true, stripeId: `cs_${made}`, url: `https://checkout.example/${made}` };
  },
  expireCheckout: async () => ({ ok: true }),
  checkoutStatus: () => expect.unreachable('every page that is ended is open'),
  refund: () => expect.unreachable('no refund is sent here'),
  refundsOf: async () => ({ ok: true, refunds: [] }),
};

const clockOf = ({ world }: Scene) => ({ now: () => world.now, aheadMs: 0 });
let events = 0;
type News = { kind: 'dispute'; dispute: DisputeFact } | { kind: 'checkout-completed'; checkout: CheckoutFact };

/** Stripe sends everything at least once. */
async function tell(scene: Scene, news: News, at = scene.world.now): Promise<void> {
  events += 1;
  const event: CardEvent = { id: `evt_${events}`, at, ...news };
  const to = { db: scene.db, stripe, clock: clockOf(scene) };
  for (let times = scene.draw.chance(0.5) ? 2 : 1; times > 0; times -= 1)
    expect(await takeEvent(to, event)).toBe('done');
}

/**
 * What a buyer can pay by card (P29): all that is owed but for dates that we cancelled, or what is due first with all that is
 * overdue.
 */
function amountsOf({ promises, world }: Scene, enrolment: Enrolment): { all: number; next: number } {
  const open = promises.open(enrolment);
  const all = open.reduce((sum, one) => sum + one.open - one.choosing, 0);
  const until = earliest(open.flatMap(({ due, dueCents }) => (due !== null && dueCents > 0 ? due : [])));
  const day = until !== undefined && until < world.today ? world.today : until;
  const next = open.reduce((sum, { due, dueCents }) => sum + (due !== null && day && due <= day ? dueCents : 0), 0);
  return { all, next };
}

/** The buyer pays by card what is due first or everything; the bank may dispute it before Stripe has told us of it. */
export async function payByCard(scene: Scene): Promise<Outcome> {
  const { db, world, draw } = scene;
  await promisesAgree(scene);
  const enrolment = draw.of(world.enrolments);
  if (!enrolment) return 'nothing to act on';
  const { all, next } = amountsOf(scene, enrolment);
  const cents = draw.of([all, next, next, all - 1]) ?? all;
  const wish = {
    enrolmentId: enrolment.id,
    shownCents: cents,
    returnUrl: (token: string) => `https://x.example/${token}`,
  };
  const started = await startCheckout(db, stripe, wish, clockOf(scene));
  if (cents < 50 || (cents !== all && cents !== next)) {
    expect(started).toEqual({ ok: false, reason: 'changed' });
    return 'refused';
  }
  expect(started).toMatchObject({ ok: true });
  const checkout = await db
    .selectFrom('card_checkouts')
    .select(['key', 'stripe_id'])
    .where('enrolment_id', '=', enrolment.id)
    .where('state', '=', 'open')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const intent = `pi_${checkout.key}`;
  const payment: CardPaid = { intent, cents, dispute: null };
  paidByCard.set(enrolment, [...(paidByCard.get(enrolment) ?? []), payment]);
  if (draw.chance(0.2)) await dispute(scene, enrolment, payment);
  const facts = { stripeId: checkout.stripe_id ?? '', key: checkout.key, reference: enrolment.reference };
  const news = { ...facts, amountCents: cents, currency: 'AUD', paid: true, paymentIntent: intent };
  await tell(scene, { kind: 'checkout-completed', checkout: news });
  enrolment.paid += cents;
  return 'done';
}

let disputes = 0;
const factOf = (intent: string, { id, cents }: Dispute, status: string): News => ({
  kind: 'dispute',
  dispute: { stripeId: id, paymentIntent: intent, amountCents: cents, status, reason: 'fraudulent' },
});

/** While a dispute lasts its money is with the bank: it is owed again. */
async function dispute(scene: Scene, enrolment: Enrolment, payment: CardPaid): Promise<void> {
  const cents = scene.draw.chance(0.7) ? payment.cents : Math.ceil(payment.cents / 2);
  disputes += 1;
  payment.dispute = { id: `du_${disputes}`, cents, at: scene.world.now };
  await tell(scene, factOf(payment.intent, payment.dispute, 'needs_response'));
  enrolment.refunded += cents;
}

/** A cardholder's bank asks, takes the money, gives it back or keeps it; older news come late and change nothing. */
export async function disputeCard(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const all = world.enrolments.flatMap((enrolment) =>
    (paidByCard.get(enrolment) ?? []).map((payment) => ({ enrolment, payment })),
  );
  const found = draw.of(all.filter(({ payment }) => payment.dispute !== null)) ?? draw.of(all);
  const fresh = draw.of(all);
  if (!found || !fresh) return 'nothing to act on';
  const { enrolment, payment } = draw.chance(0.5) ? found : fresh;
  if (payment.dispute === null) {
    if (draw.chance(0.7)) await dispute(scene, enrolment, payment);
    else {
      disputes += 1;
      const inquiry = { id: `du_${disputes}`, cents: payment.cents, at: world.now };
      await tell(scene, factOf(payment.intent, inquiry, 'warning_needs_response'));
      await tell(scene, factOf(payment.intent, inquiry, 'warning_closed'));
    }
    return 'done';
  }
  const ended = payment.dispute;
  const won = draw.chance(0.5);
  await tell(scene, factOf(payment.intent, ended, won ? 'won' : 'lost'));
  await tell(scene, factOf(payment.intent, ended, 'under_review'), ended.at);
  if (won) enrolment.refunded -= ended.cents;
  // What was lost stays disputed; what was won may be disputed again by another one.
  payment.dispute = null;
  return 'done';
}
