import { afterAll, beforeAll, expect, test } from 'vitest';
import { listNewerCardPayments } from '#server/after-restore.ts';
import { type StripeStandIn, startStripe } from '#tests/support/stripe-stand-in.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let stripe: StripeStandIn;
const since = new Date('2025-09-07T23:14:00Z');
beforeAll(async () => {
  database = await createTestDatabase('template');
  stripe = await startStripe();
});
afterAll(async () => {
  await stripe.close();
  await database.drop();
});

const list = () => {
  const { url: apiUrl } = stripe;
  const settings = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', apiUrl, checkoutOrigin: apiUrl };
  return listNewerCardPayments(database.db, settings, since);
};
/** A payment that Stripe took so many seconds after the restored moment. */
const paid = (seconds: number, payment_intent: string) => ({
  ...{ payment_intent, amount: 149_900, paid: true, description: 'Enrolment BB-7KQ2MX' },
  created: since.getTime() / 1000 + seconds,
});

test('P92: after a restore the card payments that are newer are listed', async () => {
  expect(await list()).toEqual(['No card payment is missing.']);
  stripe.charges.push(paid(-60, 'pi_before'), paid(60, 'pi_after'));
  const [what, one, ...others] = await list();
  expect(what).toMatch(/^Card payments that the database does not have/);
  expect(one).toMatch(/8 Sept 2025, 9:15 AM {2}AU\$1,499 {2}Enrolment BB-7KQ2MX {2}pi_after/);
  expect(others).toEqual([]);
});

test('P92: where Stripe gives no list, or is not set up, that is said', async () => {
  stripe.mishaps.push({ status: 401, message: 'Invalid API Key' });
  expect(await list()).toEqual([expect.stringMatching(/^Stripe gave no list .*Invalid API Key.*dashboard/)]);
  expect(await listNewerCardPayments(database.db, null, since)).toEqual([expect.stringContaining('not set up')]);
});
