import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { agreeOnInstalments } from '#app/features/enrolments/agree-instalments.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { owedInWords } from '#app/features/enrolments/money-mails.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { startCheckout } from '#app/features/money/card/checkouts.server.ts';
import { endCheckouts } from '#app/features/money/card/end-checkouts.server.ts';
import { sendCardRefunds } from '#app/features/money/card/send-refunds.server.ts';
import { openStripe } from '#app/features/money/card/stripe.server.ts';
import { forgetWaitingEvents } from '#app/features/money/card/take-event.server.ts';
import { recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { dayIn } from '#app/lib/dates.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { signInStaff } from '#tests/support/staff.ts';
import { type StripeStandIn, startStripe, stripeEvent, stripeSignature } from '#tests/support/stripe-stand-in.ts';

const secret = 'whsec_test';
const opening = momentAt('2025-09-08T09:00');
const { now: at } = opening;
const minutesLater = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
const owed = 549_900;

let standIn: StripeStandIn;
let academy: AcademyApp;
let stripe: ReturnType<typeof openStripe>;
beforeAll(async () => {
  standIn = await startStripe();
  const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_URL: standIn.url };
  academy = await openAcademyApp({ env });
  stripe = openStripe(
    { secretKey: 'sk_test_1', webhookSecret: secret, apiUrl: standIn.url, checkoutOrigin: standIn.url },
    200,
  );
});
beforeEach(() => {
  academy.setNow(opening.now);
  standIn.mishaps.length = 0;
  standIn.requests.length = 0;
});
afterAll(async () => {
  await academy.close();
  await standIn.close();
});

/** An enrolment of one person for AU$5,499. */
async function placed() {
  const { db } = academy.database;
  const order = await orderOf(db, [seatIn(await makeCourseDate(db))]);
  const result = await db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
  if (!result.ok) return expect.unreachable(JSON.stringify(result));
  const { enrolmentId: id, reference, token } = result;
  return { id, reference, page: `/enrolment/${token}` };
}
const balance = async (id: number) => balanceOf(await accountOf(academy.database.db, id));
const paymentsOf = (id: number) =>
  academy.database.db
    .selectFrom('payments')
    .select(['id', 'amount_cents', 'method', 'source', 'received_on'])
    .where('enrolment_id', '=', id)
    .orderBy('id')
    .execute();
const checkoutsOf = async (id: number) => {
  const { db } = academy.database;
  const rows = await db
    .selectFrom('card_checkouts')
    .select('state')
    .where('enrolment_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ state }) => state);
};

const pay = (page: string, shown = owed) =>
  academy.request(`${page}/card`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ shown: String(shown) }),
  });
const start = (enrolmentId: number, client = stripe, shownCents = owed) =>
  startCheckout(
    academy.database.db,
    client,
    { enrolmentId, shownCents, returnUrl: (token) => `http://localhost:3000/enrolment/card-return/${token}` },
    { now: () => at, aheadMs: 0 },
  );

async function tell(type: string, object: object, signed: { secret?: string; at?: Date } = {}): Promise<number> {
  const body = stripeEvent(type, object, signed.at ?? at);
  return deliver(body, signed.secret);
}
async function deliver(body: string, signedWith = secret): Promise<number> {
  const headers = { 'Stripe-Signature': stripeSignature(body, signedWith, at) };
  return (await academy.request('/stripe/events', { method: 'POST', headers, body })).status;
}
/** The Checkout Session that was made last, as events have it. */
function courseDate(changes: object = {}) {
  const made = standIn.sessions.at(-1);
  if (!made) throw new Error('no Checkout Session was made');
  return {
    id: made.id,
    object: 'checkout.session',
    amount_total: Number(made.fields.get('line_items[0][price_data][unit_amount]')),
    client_reference_id: made.fields.get('client_reference_id'),
    currency: 'aud',
    metadata: { checkout: made.fields.get('metadata[checkout]') },
    mode: 'payment',
    payment_intent: `pi_${made.id}`,
    payment_status: 'paid',
    status: 'complete',
    ...changes,
  };
}
const intent = () => courseDate().payment_intent;
/** An enrolment that was paid by card, with the payment's id. */
async function paid() {
  const enrolment = await placed();
  await start(enrolment.id);
  expect(await tell('checkout.session.completed', courseDate())).toBe(200);
  const [payment] = await paymentsOf(enrolment.id);
  if (!payment) return expect.unreachable('no payment');
  return { ...enrolment, payment };
}
const refundObject = (changes: object = {}) => ({
  id: `re_${crypto.randomUUID()}`,
  object: 'refund',
  amount: 100_000,
  currency: 'aud',
  payment_intent: intent(),
  status: 'succeeded',
  metadata: {},
  ...changes,
});
const disputeObject = (id: string, status: string) => ({
  id,
  object: 'dispute',
  amount: owed,
  currency: 'aud',
  payment_intent: intent(),
  reason: 'fraudulent',
  status,
});

test('P29: a debt is paid at Stripe, and only the webhook records the payment', async () => {
  const { id, reference, page } = await placed();
  const shown = await academy.request(page);
  expect(await shown.text()).toContain('Pay AU$5,499 by card');
  expect(shown.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${standIn.url};`);
  const away = await pay(page);
  expect([away.status, away.headers.get('Location')]).toEqual([
    303,
    `${standIn.url}/pay/${standIn.sessions.at(-1)?.id}`,
  ]);
  const asked = standIn.sessions.at(-1)?.fields;
  expect(asked?.get('client_reference_id')).toBe(reference);
  expect(asked?.get('line_items[0][price_data][currency]')).toBe('aud');
  const returning = asked?.get('success_url')?.replace('http://localhost:3000', '') ?? '';
  expect(returning).toMatch(/^\/enrolment\/card-return\/[0-9a-f]{48}$/);
  expect(Number(asked?.get('expires_at')) * 1000).toBe(minutesLater(60).getTime());
  // A second click leads to the same page.
  expect((await pay(page)).headers.get('Location')).toBe(away.headers.get('Location'));
  const waiting = await (await academy.request(returning)).text();
  expect(waiting).toContain('We are waiting for Stripe');
  expect(waiting).not.toContain('Pay AU$5,499 by card');

  const event = stripeEvent('checkout.session.completed', courseDate(), at);
  expect(await Promise.all([deliver(event), deliver(event), deliver(event)])).toEqual([200, 200, 200]);
  expect(await paymentsOf(id)).toMatchObject([
    { amount_cents: owed, method: 'card', source: intent(), received_on: '2025-09-08' },
  ]);
  expect(await (await academy.request(returning)).text()).toContain('AU$5,499 has arrived');
  expect(await (await academy.request(page)).text()).not.toContain('by card');
  expect((await pay(page)).status).toBe(409);
});

test('Stripe never has the buyer’s own link; the one it has shows this payment only, for a day', async () => {
  const { reference, page } = await placed();
  await pay(page);
  const given = [...(standIn.sessions.at(-1)?.fields.values() ?? [])].join(' ');
  expect(given).not.toContain(page.replace('/enrolment/', ''));
  const [, returning = ''] = /http:\/\/localhost:3000(\S+)/.exec(given) ?? [];
  const shown = await academy.request(returning);
  const text = await shown.text();
  expect([shown.status, text.includes('We are waiting for Stripe'), text.includes(reference)]).toEqual([
    200,
    true,
    true,
  ]);
  expect(shown.headers.get('Cache-Control')).toContain('no-store');
  expect(text).not.toMatch(/<form[^>]*method="post"|\/enrolment\/[0-9a-f]{48}"|\/cancel|Grace Hopper|buyer\d+@/);
  // It is no link of the enrolment's.
  const token = returning.split('/').at(-1);
  expect((await academy.request(`/enrolment/${token}`)).status).toBe(404);
  expect((await academy.request(`/enrolment/${token}/cancel`)).status).toBe(404);
  expect(await findLink(academy.database.db, token ?? '')).toBeNull();
  academy.setNow(minutesLater(24 * 60 + 1));
  expect((await academy.request(returning)).status).toBe(404);
});

test('a payment whose event names another enrolment than its checkout, or a checkout never made, is for staff', async () => {
  const { db } = academy.database;
  const [named, made] = [await placed(), await placed()];
  await start(made.id);
  await tell('checkout.session.completed', courseDate({ client_reference_id: named.reference }));
  expect([await balance(named.id), await balance(made.id)]).toEqual([owed, owed]);
  await tell('checkout.session.completed', {
    ...courseDate({ client_reference_id: named.reference, payment_intent: 'pi_never_made' }),
    metadata: { checkout: '00000000-0000-4000-8000-000000000000' },
  });
  expect(await balance(named.id)).toBe(owed);
  const rows = await db
    .selectFrom('payments')
    .select(['enrolment_id', 'amount_cents'])
    .where('source', 'in', [intent(), 'pi_never_made'])
    .execute();
  expect(rows).toEqual([
    { enrolment_id: null, amount_cents: owed },
    { enrolment_id: null, amount_cents: owed },
  ]);
  const staff = await signInStaff(academy, 'mary@example.com', 'Mary Shelley');
  const listed = await (await staff.get('/staff/card-payments')).text();
  expect(listed).toContain(`Stripe names ${named.reference}; the payment page with the key`);
  expect(listed).toContain(`was made for ${made.reference}`);
  expect(listed).toContain('we made no payment page with the key 00000000-0000-4000-8000-000000000000');
});

test('a webhook that Stripe did not sign, or that cannot be read, records nothing', async () => {
  const { id } = await placed();
  await start(id);
  expect(await tell('checkout.session.completed', courseDate(), { secret: 'whsec_other' })).toBe(400);
  expect((await academy.request('/stripe/events', { method: 'POST', body: '{}' })).status).toBe(400);
  expect(await tell('checkout.session.completed', { id: 7 })).toBe(422);
  expect(await deliver('no JSON')).toBe(422);
  expect((await academy.request('/stripe/events')).status).toBe(404);
  expect(await paymentsOf(id)).toEqual([]);
});

test('kinds that are of no concern are taken and logged, and so is what other programs on the account do', async () => {
  const { id } = await placed();
  await start(id);
  expect(await tell('customer.created', { id: 'cus_1' })).toBe(200);
  expect(await tell('charge.refunded', { id: 'ch_1', payment_intent: null })).toBe(200);
  expect(await tell('checkout.session.completed', courseDate({ metadata: {} }))).toBe(200);
  expect(academy.logged.some((line) => line.includes('"kind":"customer.created"'))).toBe(true);
  expect(await paymentsOf(id)).toEqual([]);
});

test('pending, failed and expired payments are told apart, whatever the order of their events', async () => {
  const { id, page } = await placed();
  await start(id);
  const late = courseDate({ payment_status: 'unpaid' });
  await tell('checkout.session.completed', late);
  expect(await (await academy.request(`${page}/card?back`)).text()).toContain('The payment is on its way');
  expect(await (await pay(page)).text()).toContain('Your earlier payment by card is being confirmed');
  await tell('checkout.session.async_payment_failed', late);
  expect(await (await academy.request(`${page}/card?back`)).text()).toContain('did not go through');
  await tell('checkout.session.completed', late);
  expect(await checkoutsOf(id)).toEqual(['failed']);

  await start(id);
  await tell('checkout.session.expired', courseDate());
  expect(await (await academy.request(`${page}/card?back`)).text()).toContain('The payment page was closed');
  await start(id);
  await tell('checkout.session.async_payment_succeeded', courseDate());
  await tell('checkout.session.completed', courseDate({ payment_status: 'unpaid' }));
  await tell('checkout.session.expired', courseDate());
  expect(await checkoutsOf(id)).toEqual(['failed', 'expired', 'paid']);
  expect(await balance(id)).toBe(0);
});

test('another payment or a cancellation ends the open payment page; a payment made all the same is recorded', async () => {
  const { db } = academy.database;
  const first = await placed();
  await start(first.id);
  await endCheckouts(db, stripe, at);
  expect(await checkoutsOf(first.id)).toEqual(['open']);
  const transfer = { enrolmentId: first.id, amountCents: 100, receivedOn: '2025-09-08', method: 'bank' as const };
  await db
    .transaction()
    .execute((trx) => recordPayment(trx, { ...transfer, actor: theProgram, at, idempotencyKey: crypto.randomUUID() }));
  await endCheckouts(db, stripe, at);
  expect([standIn.sessions.at(-1)?.status, await checkoutsOf(first.id)]).toEqual(['expired', ['expired']]);

  const second = await placed();
  await start(second.id);
  const made = standIn.sessions.at(-1);
  const { places } = await readEnrolment(db, second.id);
  const all = { enrolmentId: second.id, placeIds: places.map((place) => place.id), why: 'buyer' as const };
  await db.transaction().execute((trx) => cancelPlaces(trx, { ...all, shownCents: null }, opening));
  // The buyer was quicker: Stripe refuses to end it.
  if (made) made.status = 'complete';
  standIn.mishaps.push(500, 500, 500);
  await endCheckouts(db, stripe, at);
  expect(await checkoutsOf(second.id)).toEqual(['open']);
  await endCheckouts(db, stripe, at);
  expect(await tell('checkout.session.completed', courseDate())).toBe(200);
  expect(await checkoutsOf(second.id)).toEqual(['paid']);
  expect(await balance(second.id)).toBe(-owed);
  expect((await readEnrolment(db, second.id)).places.map(({ state }) => state)).toEqual(['cancelled']);
});

test('P29, P40: nothing is paid by card for a date that we cancelled, while its buyer chooses', async () => {
  const { db } = academy.database;
  const [ours, other] = [await makeCourseDate(db), await makeCourseDate(db)];
  const placedInTwo = await db
    .transaction()
    .execute(async (trx) =>
      placeEnrolment(trx, await orderOf(db, [seatIn(ours)], { attendees: [attendee(), attendee()] }), opening),
    );
  if (!placedInTwo.ok) return expect.unreachable(JSON.stringify(placedInTwo));
  const { enrolmentId: id, token } = placedInTwo;
  const [place] = (await readEnrolment(db, id)).places;
  const move = { enrolmentId: id, placeId: place?.id ?? 0, toCourseDateId: other.id, actor: theProgram };
  expect(await db.transaction().execute((trx) => transferPlace(trx, move, opening))).toMatchObject({ ok: true });
  const page = `/enrolment/${token}`;
  expect(await (await academy.request(page)).text()).toContain('Pay AU$10,998 by card');
  const cancelled = ({ id: courseDateId }: typeof ours) =>
    db.transaction().execute((trx) => cancelCourseDateAndAsk(trx, courseDateId, theProgram, opening));
  expect(await cancelled(ours)).toMatchObject({ ok: true });
  expect((await pay(page, 2 * owed)).status).toBe(409);
  for (const path of [page, `${page}/card`]) {
    const html = await (await academy.request(path)).text();
    expect(html).toContain('Pay AU$5,499 by card');
  }
  await start(id);
  await endCheckouts(db, stripe, at);
  expect(await checkoutsOf(id)).toEqual(['open']);
  expect(await cancelled(other)).toMatchObject({ ok: true });
  expect((await pay(page)).status).toBe(409);
  const html = await (await academy.request(`${page}/card`)).text();
  expect(html).toContain('Nothing is to pay now: we cancelled the date, and you have not chosen yet.');
  expect(html).not.toContain('by card</button>');
  await endCheckouts(db, stripe, at);
  expect(await checkoutsOf(id)).toEqual(['expired']);
});

/** The same, to be paid in instalments: AU$1,000 on Friday and the rest in October, unless others are named. */
async function placedInInstalments(
  instalments = [
    { dueOn: '2025-09-12', cents: 100_000 },
    { dueOn: '2025-10-08', cents: 449_900 },
  ],
) {
  const { db } = academy.database;
  const { id, page } = await placed();
  const [invoice] = await openInvoices(db, id);
  const agreement = { enrolmentId: id, invoiceId: invoice?.id ?? 0, instalments, actor: theProgram };
  const agreed = await db.transaction().execute((trx) => agreeOnInstalments(trx, agreement, opening));
  expect(agreed).toMatchObject({ ok: true });
  return { id, page };
}
const openAtStripe = (since: number) => standIn.sessions.slice(since).filter(({ status }) => status === 'open');
const urlOf = (one: { id: string } | undefined) => `${standIn.url}/pay/${one?.id}`;

test('P29: an outdated amount changes nothing at the page on which somebody pays', async () => {
  const { id, page } = await placed();
  const before = standIn.sessions.length;
  expect((await pay(page)).status).toBe(303);
  const old = await pay(page, 600_000);
  expect([old.status, (await old.text()).includes('The amount to pay has changed')]).toEqual([409, true]);
  expect([openAtStripe(before).length, await checkoutsOf(id)]).toEqual([1, ['open']]);
});

test('P29: a page in its last five minutes is ended for a new one, and the new one stays', async () => {
  const { db } = academy.database;
  const { id, page } = await placed();
  const before = standIn.sessions.length;
  await pay(page);
  academy.setNow(minutesLater(56));
  const away = await pay(page);
  await endCheckouts(db, stripe, minutesLater(56));
  expect(standIn.sessions.slice(before).map(({ status }) => status)).toEqual(['expired', 'open']);
  expect(away.headers.get('Location')).toBe(urlOf(openAtStripe(before)[0]));
  expect(await checkoutsOf(id)).toEqual(['expired', 'open']);
});

test('P29: after a page ended, the buyer starts again at once, and is told if it was paid just before', async () => {
  const { id, page } = await placed();
  await pay(page);
  const [first] = standIn.sessions.slice(-1);
  if (first) first.status = 'expired';
  // Stripe has not told of it yet.
  academy.setNow(minutesLater(61));
  expect((await pay(page)).status).toBe(303);
  await endCheckouts(academy.database.db, stripe, minutesLater(61));
  expect(openAtStripe(-1)).toHaveLength(1);
  const [second] = standIn.sessions.slice(-1);
  if (second) second.status = 'complete';
  academy.setNow(minutesLater(118));
  const refused = await pay(page);
  const text = await refused.text();
  expect([refused.status, text.includes('Your earlier payment by card is being confirmed')]).toEqual([409, true]);
  expect(await checkoutsOf(id)).toEqual(['expired', 'processing']);
});

/** A buyer paid at Stripe, whose news did not reach us. */
async function paidUnheard() {
  const enrolment = await placed();
  expect((await pay(enrolment.page)).status).toBe(303);
  const made = standIn.sessions.at(-1);
  if (!made) return expect.unreachable('no Checkout Session was made');
  made.status = 'complete';
  return { ...enrolment, read: async () => (await academy.request(`${enrolment.page}/card`)).text() };
}

test('P29: a paid amount is not paid again while its event is hours late', async () => {
  const { id, page, read } = await paidUnheard();
  const news = courseDate();
  const before = standIn.sessions.length;
  academy.setNow(minutesLater(72));
  await endCheckouts(academy.database.db, stripe, minutesLater(72));
  const html = await read();
  expect(html).toContain('The payment is on its way');
  expect(html).not.toContain('start again');
  expect(html).not.toContain('by card</button>');
  expect((await pay(page)).status).toBe(409);
  expect(standIn.sessions).toHaveLength(before);
  // Only the webhook records money.
  expect(await balance(id)).toBe(owed);
  // Stripe tells for three days. After that a person has to look, and the first page says so.
  const staff = await signInStaff(academy, 'joan@example.com', 'Joan Clarke');
  const listed = async () => (await (await staff.get('/staff/card-payments')).text()).includes('No news of a payment');
  const counted = async () => {
    const words = (await (await staff.get('/staff')).text()).replaceAll(/<[^>]*>/g, ' ');
    return Number(/(\d+)\s+Card payments to look at/.exec(words)?.[1] ?? 0);
  };
  academy.setNow(minutesLater(4 * 24 * 60));
  const others = await counted();
  expect(await listed()).toBe(false);
  academy.setNow(minutesLater(4 * 24 * 60 + 61));
  expect([await listed(), await counted()]).toEqual([true, others + 1]);
  // Here every event is signed at this moment.
  academy.setNow(at);
  expect(await tell('checkout.session.completed', news)).toBe(200);
  expect([await checkoutsOf(id), await balance(id), (await paymentsOf(id)).length]).toEqual([['paid'], 0, 1]);
});

test('P29: a press after the time of a page asks Stripe before a second page opens', async () => {
  const { id, page, read } = await paidUnheard();
  const before = standIn.sessions.length;
  academy.setNow(minutesLater(61));
  const html = await read();
  expect(html).toContain('Stripe has not told us yet whether you paid there');
  expect(html).not.toContain('You can continue there');
  const refused = await pay(page);
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('Your earlier payment')]);
  expect([standIn.sessions.length, await checkoutsOf(id)]).toEqual([before, ['processing']]);
});

test('P29: while Stripe cannot be asked, an expired page stays as it is, and no second one opens', async () => {
  const { id, page, read } = await paidUnheard();
  const before = standIn.sessions.length;
  academy.setNow(minutesLater(72));
  const cannot = { status: 401, message: 'Invalid API Key' };
  standIn.mishaps.push(cannot);
  await endCheckouts(academy.database.db, stripe, minutesLater(72));
  expect(await checkoutsOf(id)).toEqual(['open']);
  expect(await read()).toContain('We are waiting for Stripe');
  standIn.mishaps.push(cannot);
  expect((await pay(page)).status).toBe(502);
  // It refuses to end the page, and then cannot say why.
  const silent = { ...stripe, checkoutStatus: async () => ({ ok: false, refused: false, message: 'Busy' }) as const };
  await endCheckouts(academy.database.db, silent, minutesLater(72));
  expect([standIn.sessions.length, await checkoutsOf(id)]).toEqual([before, ['open']]);
});

test('P29: a page of which Stripe knows nothing is over after its time', async () => {
  const { id, page } = await placed();
  await pay(page);
  await academy.database.db
    .updateTable('card_checkouts')
    .set({ stripe_id: 'cs_of_another_account' })
    .where('enrolment_id', '=', id)
    .execute();
  await endCheckouts(academy.database.db, stripe, minutesLater(72));
  expect(await checkoutsOf(id)).toEqual(['expired']);
});

test('P29: two presses at once open one page, whatever their amounts and order', async () => {
  const { db } = academy.database;
  /** Stripe answers the first press after the second one is led away. */
  const both = async (id: number, [first, second]: readonly [number, number]) => {
    const since = standIn.sessions.length;
    const gate = Promise.withResolvers<void>();
    const slow: typeof stripe = {
      ...stripe,
      createCheckout: (wish) => stripe.createCheckout(wish).then((made) => gate.promise.then(() => made)),
    };
    const slowly = start(id, slow, first);
    await expect.poll(() => standIn.sessions.length).toBe(since + 1);
    const quick = await start(id, stripe, second);
    gate.resolve();
    const answers = [await slowly, quick];
    await endCheckouts(db, stripe, at);
    const open = openAtStripe(since);
    expect([open.length, (await checkoutsOf(id)).filter((state) => state === 'open').length]).toEqual([1, 1]);
    return { answers, url: urlOf(open[0]) };
  };
  const same = await both((await placed()).id, [owed, owed]);
  expect(same.answers).toEqual([
    { ok: true, url: same.url },
    { ok: true, url: same.url },
  ]);
  const { id } = await placedInInstalments();
  const other = await both(id, [100_000, owed]);
  expect(other.answers).toEqual([
    { ok: false, reason: 'another' },
    { ok: true, url: other.url },
  ]);
  // The page says to press again: that ends the other one.
  expect(await start(id, stripe, 100_000)).toMatchObject({ ok: true });
});

test('P29, P83: an instalment can be paid by card, or everything, and never both', async () => {
  const { id, page } = await placedInInstalments();
  const buttons = async (path = page) =>
    [
      ...(await (await academy.request(path)).text()).matchAll(
        /<button(?=[^>]*name="shown")[^>]*value="(\d+)"[^>]*>([^<]+)/g,
      ),
    ].map(([, cents, words]) => `${cents} ${words}`);
  const both = ['100000 Pay AU$1,000 by card', '549900 Pay all AU$5,499 by card'];
  expect([await buttons(), await buttons(`${page}/card`)]).toEqual([both, both]);
  expect(await (await academy.request(`${page}/card`)).text()).toMatch(/AU\$1,000.*is due by Friday 12 September 2025/);
  const amounts = () =>
    standIn.sessions
      .slice(-3)
      .map((one) => `${one.fields.get('line_items[0][price_data][unit_amount]')} ${one.status}`);
  expect((await pay(page, 200_000)).status).toBe(409);
  expect((await pay(page, 100_000)).status).toBe(303);
  // The same again leads to the same page.
  expect((await pay(page, 100_000)).status).toBe(303);
  expect((await pay(page, 549_900)).status).toBe(303);
  await endCheckouts(academy.database.db, stripe, at);
  expect((await pay(page, 100_000)).status).toBe(303);
  await endCheckouts(academy.database.db, stripe, at);
  expect(amounts()).toEqual(['100000 expired', '549900 expired', '100000 open']);
  expect(await checkoutsOf(id)).toEqual(['expired', 'expired', 'open']);
  // Paid at Stripe, which has not said so yet: everything cannot be paid besides.
  const made = standIn.sessions.at(-1);
  if (made) made.status = 'complete';
  expect((await pay(page, 549_900)).status).toBe(409);
  expect(await tell('checkout.session.completed', courseDate())).toBe(200);
  expect(await balance(id)).toBe(449_900);
  expect(await buttons()).toEqual(['449900 Pay AU$4,499 by card']);
});

test('P29, P83: overdue amounts and those due today are due now, by card and by bank transfer', async () => {
  const { page } = await placedInInstalments([
    { dueOn: '2025-09-12', cents: 100_000 },
    { dueOn: '2025-09-19', cents: 150_000 },
    { dueOn: '2025-10-08', cents: 299_900 },
  ]);
  academy.setNow(momentAt('2025-09-19T09:00').now);
  const html = (await (await academy.request(page)).text()).replaceAll('<!-- -->', '');
  expect(html).toContain('Pay AU$2,500 by card');
  expect(html).toContain('AU$2,500 is due now.');
  expect(html).not.toContain('overdue');
  // The bank details, with the amount that the copy button copies.
  expect(html).toMatch(/<dt[^>]*>Amount<\/dt>.{0,200}>AU\$2,500</);
});

test('P29: an amount that Stripe does not take is paid by bank transfer, and the page says so', async () => {
  const { id, page } = await placed();
  await academy.database.db.transaction().execute((trx) =>
    recordPayment(trx, {
      enrolmentId: id,
      amountCents: owed - 30,
      receivedOn: '2025-09-08',
      method: 'bank',
      words: '',
      actor: theProgram,
      at,
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  const html = await (await academy.request(`${page}/card`)).text();
  expect(html).toContain('This amount cannot be paid by card. Please pay by bank transfer');
  expect(html).not.toContain('we cancelled the date');
});

test('timeouts, 500s and a connection cut after the act make one Checkout Session; a refusal says what to do', async () => {
  const { id, page } = await placed();
  const before = standIn.sessions.length;
  standIn.mishaps.push('hang', 'done, then cut off');
  expect(await start(id)).toMatchObject({ ok: true });
  expect(standIn.sessions.length).toBe(before + 1);
  expect(new Set(standIn.requests).size).toBe(1);
  expect(standIn.requests).toHaveLength(3);

  const other = await placed();
  standIn.mishaps.push({ status: 401, message: 'Invalid API Key' });
  const refused = await pay(other.page);
  expect(refused.status).toBe(502);
  const text = await refused.text();
  expect(text).toContain('Nothing was charged. Try again in a few minutes, or pay by bank transfer');
  expect(text).not.toContain('Invalid API Key');
  standIn.mishaps.push(500, 500, 500);
  expect(await start(other.id)).toMatchObject({ ok: false, reason: 'stripe' });
  expect(await start(other.id)).toMatchObject({ ok: true });
  // Two tabs at once: one page to pay on, and the other is ended.
  const both = await placed();
  const started = await Promise.all([start(both.id), start(both.id)]);
  expect(started.every(({ ok }) => ok)).toBe(true);
  await endCheckouts(academy.database.db, stripe, at);
  expect((await checkoutsOf(both.id)).filter((state) => state === 'open')).toHaveLength(1);
  // Unused for an hour, without an event.
  await endCheckouts(academy.database.db, stripe, minutesLater(71));
  expect(await checkoutsOf(id)).toEqual(['expired']);
  expect((await pay(page, 100)).status).toBe(409);
});

test('a payment is recognised though the process ended before it had stored the Checkout Session', async () => {
  const { db } = academy.database;
  const { id } = await placed();
  // The process ends while it waits for the answer: nothing after that is written.
  const killed = {
    ...stripe,
    createCheckout: (wish: never) => stripe.createCheckout(wish).then(() => new Promise<never>(() => {})),
  };
  const before = standIn.sessions.length;
  void start(id, killed as typeof stripe);
  await expect.poll(() => standIn.sessions.length).toBe(before + 1);
  expect(await checkoutsOf(id)).toEqual(['making']);
  await tell('checkout.session.completed', courseDate());
  expect([await checkoutsOf(id), await balance(id)]).toEqual([['paid'], 0]);
  await endCheckouts(db, stripe, minutesLater(30));
  expect(await checkoutsOf(id)).toEqual(['paid']);
});

test('another amount or currency than the owed one is recorded as it came', async () => {
  const { db } = academy.database;
  const { id, reference } = await placed();
  await start(id);
  await tell('checkout.session.completed', courseDate({ amount_total: 500_000 }));
  expect(await balance(id)).toBe(49_900);
  const foreign = await placed();
  await start(foreign.id);
  await tell('checkout.session.completed', courseDate({ currency: 'usd' }));
  expect(await balance(foreign.id)).toBe(owed);
  const row = await db
    .selectFrom('payments')
    .select(['enrolment_id', 'currency', 'words'])
    .where('source', '=', intent())
    .executeTakeFirst();
  expect(row).toEqual({
    enrolment_id: null,
    currency: 'USD',
    words: `Card payment ${foreign.reference}, in USD`,
  });
  expect(reference).not.toBe(foreign.reference);
});

test('a refund that staff record is sent by Stripe once, whatever fails in between, and fails when Stripe says so', async () => {
  const { db } = academy.database;
  const { id, payment } = await paid();
  const record = (amountCents: number) =>
    db.transaction().execute((trx) =>
      recordRefund(trx, {
        paymentId: payment.id,
        amountCents,
        reason: 'Cancelled',
        actor: theProgram,
        at,
        idempotencyKey: crypto.randomUUID(),
      }),
    );
  await record(100_000);
  const sentBefore = standIn.refunds.length;
  // Taken, but the answer never arrives; keys may be forgotten by the next attempt, so Stripe is asked first.
  standIn.mishaps.push('done, then cut off', 500, 500);
  await sendCardRefunds(db, stripe, at);
  const staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  expect(await (await staff.get('/staff/card-payments')).text()).toContain('Refund not sent yet');
  await sendCardRefunds(db, stripe, minutesLater(0.2));
  await Promise.all([sendCardRefunds(db, stripe, minutesLater(1)), sendCardRefunds(db, stripe, minutesLater(1))]);
  await sendCardRefunds(db, stripe, minutesLater(5));
  expect(standIn.refunds.length).toBe(sentBefore + 1);
  expect(await balance(id)).toBe(100_000);
  const taken = standIn.refunds.at(-1);
  if (!taken) return expect.unreachable();
  // Stripe tells of it too, and later that it came back.
  await tell('refund.created', taken);
  await tell('charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: payment.source });
  expect(await balance(id)).toBe(100_000);
  const failure = { ...taken, status: 'failed', failure_reason: 'expired_or_canceled_card' };
  expect([await tell('refund.failed', failure), await tell('refund.updated', taken)]).toEqual([200, 200]);
  expect(await balance(id)).toBe(0);

  const { places } = await readEnrolment(db, id);
  const all = { enrolmentId: id, placeIds: places.map((place) => place.id), why: 'buyer' as const, shownCents: null };
  await db.transaction().execute((trx) => cancelPlaces(trx, all, opening));
  const listed = await (await staff.get('/staff/card-payments')).text();
  expect(listed).toContain('expired or canceled card');
  // What Stripe refuses for good has failed at once.
  await record(200_000);
  standIn.mishaps.push({ status: 400, message: 'Charge has already been refunded' });
  await sendCardRefunds(db, stripe, minutesLater(6));
  expect(await balance(id)).toBe(-owed);
  expect(await (await staff.get('/staff/card-payments')).text()).toContain('Charge has already been refunded');
});

test('P39: money that went back twice, by our refund and by the cardholder’s bank, is owed again and said so everywhere', async () => {
  const { db } = academy.database;
  const { id, page, payment, reference } = await paid();
  const { places } = await readEnrolment(db, id);
  const all = { enrolmentId: id, placeIds: places.map((place) => place.id), why: 'buyer' as const, shownCents: null };
  await db.transaction().execute((trx) => cancelPlaces(trx, all, opening));
  const by = { actor: theProgram, at, idempotencyKey: crypto.randomUUID() };
  const back = -(await balance(id));
  expect(back).toBeGreaterThan(0);
  await db
    .transaction()
    .execute((trx) => recordRefund(trx, { ...by, paymentId: payment.id, amountCents: back, reason: 'Cancelled' }));
  await sendCardRefunds(db, stripe, at);
  expect(await mainText(await academy.request(page))).toContain('Nothing is owed.');
  expect(await owedInWords(db, id, opening)).toEqual(['You owe nothing more.']);
  await tell('charge.dispute.created', disputeObject('dp_twice', 'needs_response'));
  await tell('charge.dispute.closed', disputeObject('dp_twice', 'lost'));
  const due = await balance(id);
  expect([back, due]).toEqual([owed, owed]);
  const shown = await mainText(await academy.request(page));
  expect(shown).not.toContain('Nothing is owed.');
  expect(shown).toContain('Still to pay AU$5,499');
  expect(shown).toContain('AU$5,499 that we had refunded went back to you a second time');
  expect(shown).toContain('BSB');
  const words = await owedInWords(db, id, opening);
  expect(words[0]).toBe('AU$5,499 incl. GST is still to pay.');
  expect(words[1]).toContain('so you owe it again');
  const staff = await signInStaff(academy, 'mary@example.com', 'Mary Shelley');
  const record = await mainText(await staff.get(`/staff/enrolments/${reference}`));
  expect(record).toMatch(/Owed again, on no invoice: more went back than came in 5,499\.00/);
  expect(record).toContain('5,499.00 owed again, on no invoice');
  // It is due since the day on which it went back, so the day after it is late.
  academy.setNow(minutesLater(24 * 60));
  expect(await mainText(await staff.get('/staff/owed'))).toContain('5,499.00');
  academy.setNow(at);
  // What Stripe told was recorded by the program; nobody typed it on the server.
  const recorded = await academy.database.db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
  const history = await mainText(await staff.get(`/staff/payments/${recorded.id}`));
  expect(history).toContain('The program recorded a payment');
});

test('P83: a refund counts on the day on which it left Stripe, however late its event is', async () => {
  const { id } = await paid();
  const hours = (count: number) => new Date(at.getTime() - count * 3_600_000);
  const created = Math.floor(hours(48).getTime() / 1000);
  await tell('refund.created', refundObject({ created }));
  await tell('charge.dispute.created', disputeObject('dp_late', 'needs_response'), { at: hours(24) });
  const refunds = await academy.database.db
    .selectFrom('refunds')
    .select('sent_on')
    .where('enrolment_id', '=', id)
    .orderBy('id')
    .execute();
  const days = [hours(48), hours(24)].map((then) => dayIn('Australia/Brisbane', then));
  expect(refunds.map(({ sent_on }) => sent_on)).toEqual(days);
});

test('refunds made at Stripe and disputes reopen the debt, also when their events come before the payment', async () => {
  const { id } = await placed();
  await start(id);
  const refund = refundObject();
  await tell('refund.created', refund);
  await tell('charge.dispute.created', disputeObject('dp_early', 'needs_response'));
  expect(await balance(id)).toBe(owed);
  await tell('checkout.session.completed', courseDate());
  // More left than came in: both are true.
  expect(await balance(id)).toBe(owed + 100_000);
  await tell('refund.created', refund);
  await tell('charge.dispute.closed', disputeObject('dp_early', 'won'));
  await tell('charge.dispute.created', disputeObject('dp_early', 'needs_response'));
  expect(await balance(id)).toBe(100_000);

  const lost = await paid();
  const staff = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
  await tell('charge.dispute.created', disputeObject('dp_asks', 'warning_needs_response'));
  expect(await balance(lost.id)).toBe(0);
  await tell('charge.dispute.closed', disputeObject('dp_asks', 'warning_closed'));
  await tell('charge.dispute.created', disputeObject('dp_lost', 'needs_response'));
  await tell('charge.dispute.closed', disputeObject('dp_lost', 'lost'));
  await sendCardRefunds(academy.database.db, stripe, at);
  expect(standIn.requests.filter((request) => request.includes('/v1/refunds'))).toEqual([]);
  expect(await balance(lost.id)).toBe(owed);
  const listed = await (await staff.get('/staff/card-payments')).text();
  expect(listed).toContain('fraudulent, lost');
  expect(listed).toContain('Ask the buyer for it.');
  expect(listed).toContain(lost.reference);
  expect(listed).not.toContain('warning closed');
  expect(listed).toContain('href="/staff/card-payments"');
});

test('an event of Stripe that belongs to no payment of ours waits, is asked for again while Stripe is away, and is forgotten', async () => {
  const { db } = academy.database;
  const waiting = () => db.selectFrom('waiting_card_events').select('payment_intent').execute();
  await tell('refund.created', refundObject({ payment_intent: 'pi_of_others' }));
  expect(await waiting()).toEqual([{ payment_intent: 'pi_of_others' }]);
  await forgetWaitingEvents(db, minutesLater(29 * 24 * 60));
  expect(await waiting()).toHaveLength(1);
  await forgetWaitingEvents(db, minutesLater(31 * 24 * 60));
  expect(await waiting()).toEqual([]);
  standIn.mishaps.push(500, 500, 500);
  expect(await tell('charge.refunded', { id: 'ch_1', payment_intent: 'pi_of_others' })).toBe(503);
});

test('without keys no page mentions cards', async () => {
  const { page } = await placed();
  const plain = await openAcademyApp({ beside: academy });
  const shown = await plain.request(page);
  expect(await shown.text()).not.toContain('by card');
  expect(shown.headers.get('Content-Security-Policy')).toContain("form-action 'self';");
  expect((await plain.request(`${page}/card`)).status).toBe(404);
  expect((await plain.request('/stripe/events', { method: 'POST', body: '{}' })).status).toBe(404);
  const staff = await signInStaff(academy, 'mary@example.com', 'Mary Shelley');
  const withCookie = { headers: { Cookie: staff.cookie } };
  expect(await (await plain.request('/staff/mail', withCookie)).text()).not.toContain('Card payments');
  expect((await plain.request('/staff/card-payments', withCookie)).status).toBe(404);
  await plain.close();
});

test('P29, P39: a completed payment of which Stripe has not told us is not asked for again, for four days', async () => {
  const { db } = academy.database;
  const { id, page, reference } = await placed();
  await pay(page);
  const made = standIn.sessions.at(-1);
  if (made) made.status = 'complete';
  await endCheckouts(db, stripe, minutesLater(75));
  expect(await checkoutsOf(id)).toEqual(['processing']);
  academy.setNow(minutesLater(76));
  const shown = await mainText(await academy.request(page));
  expect(shown).toContain('On its way by card AU$5,499');
  expect(shown).not.toMatch(/Still to pay|BSB|by card$/);
  const staff = await signInStaff(academy, 'mary@example.com', 'Mary Shelley');
  expect(await mainText(await staff.get(`/staff/enrolments/${reference}/remind`))).toContain(
    'completed a payment by card',
  );
  // The reminder of the third day before the due day waits for the news.
  const [invoice] = await openInvoices(db, id);
  await db
    .updateTable('card_checkouts')
    .set({ expires_at: momentAt('2025-09-18T09:00').now })
    .execute();
  expect(invoice?.dueOn).toBe('2025-09-22');
  const reminders = async () => {
    const mails = db.selectFrom('mails').select('id').where('kind', '=', 'payment-reminder').where('about_id', '=', id);
    return (await mails.execute()).length;
  };
  await queuePaymentReminders(db, momentAt('2025-09-19T09:00'));
  expect(await reminders()).toBe(0);
  await queuePaymentReminders(db, momentAt('2025-09-22T10:00'));
  expect(await reminders()).toBe(1);
});

test('P39: money that the cardholder’s bank took back is not called a refund of ours, nor thanked for', async () => {
  const { page } = await paid();
  await tell('charge.dispute.created', disputeObject(`dp_${crypto.randomUUID()}`, 'needs_response'));
  const shown = await mainText(await academy.request(page));
  expect(shown).toContain('The bank of the card took AU$5,499 back.');
  expect(shown).not.toContain('refunded');
  const card = await mainText(await academy.request(`${page}/card`));
  expect(card).toContain('The bank of the card took AU$5,499 back.');
  expect(card).not.toContain('has arrived');
});
