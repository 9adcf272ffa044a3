import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { expect, expectAccessible, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { stripePort, stripeWebhookSecret } from '#tests/e2e/stripe-port.ts';
import { makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { startStripe, stripeEvent, stripeSignature } from '#tests/support/stripe-stand-in.ts';

test('P29: the browser lets the form lead to Stripe, with and without JavaScript, and the page hears that it arrived', async ({
  page,
  browser,
  baseURL,
  request,
}) => {
  const stripe = await startStripe(stripePort);
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const now = { ...momentAt('2025-09-08T09:00'), at: new Date() };
  const order = await orderOf(db, [seatIn(await makeCourseDate(db))]);
  const place = (draft: typeof order) => db.transaction().execute((trx) => placeEnrolment(trx, draft, now));
  const first = await place(order);
  const second = await place(await orderOf(db, order.choices));
  if (!first.ok || !second.ok) return expect([first, second]).toEqual([]);

  const plain = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  await plain.goto(`/enrolment/${second.token}`);
  await plain.getByRole('button', { name: 'Pay AU$5,499 by card' }).click();
  await expect(plain.getByRole('heading', { name: 'Pay 549900 cents' })).toBeVisible();
  await plain.close();
  const [unused] = stripe.sessions;
  // Paid by bank transfer meanwhile: the program's own job ends the page.
  await db.transaction().execute((trx) =>
    recordPayment(trx, {
      enrolmentId: second.enrolmentId,
      amountCents: 549_900,
      receivedOn: '2025-09-08',
      method: 'bank',
      actor: theProgram,
      at: now.at,
      idempotencyKey: `transfer ${second.reference}`,
    }),
  );

  await page.goto(`/enrolment/${first.token}`);
  await page.getByRole('button', { name: 'Pay AU$5,499 by card' }).click();
  await expect(page.getByRole('heading', { name: 'Pay 549900 cents' })).toBeVisible();
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'We are waiting for Stripe' })).toBeVisible();
  await expectAccessible(page);
  const made = stripe.sessions.at(-1);
  const at = new Date();
  const told = {
    id: made?.id,
    amount_total: 549_900,
    client_reference_id: first.reference,
    currency: 'aud',
    metadata: { checkout: made?.fields.get('metadata[checkout]') },
    payment_intent: `pi_${made?.id}`,
    payment_status: 'paid',
  };
  const data = stripeEvent('checkout.session.completed', told, at);
  const headers = { 'Stripe-Signature': stripeSignature(data, stripeWebhookSecret, at) };
  expect((await request.post('/stripe/events', { headers, data })).status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'AU$5,499 has arrived' })).toBeVisible();
  await expect.poll(() => unused?.status).toBe('expired');
  await db.destroy();
  await server.release();
  await stripe.close();
});
