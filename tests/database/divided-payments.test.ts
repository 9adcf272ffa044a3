import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readStatement } from '#app/features/money/bank-statement.server.ts';
import { dividePayment, readArrival } from '#app/features/money/divide-payment.server.ts';
import { failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { setPaymentAside } from '#app/features/money/payments-to-review.server.ts';
import { recordStatement } from '#app/features/money/statements.server.ts';
import { outgoingLines, recordTakenBack } from '#app/features/money/taken-back.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { balancesOf, enrolInvoiced } from '#tests/support/money.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const today = '2025-09-08';
const at = new Date('2025-09-08T09:00:00+10:00');

let database: TestDatabase;
let by: { actor: StaffActor; at: Date };
let one: Awaited<ReturnType<typeof enrolInvoiced>>;
let two: Awaited<ReturnType<typeof enrolInvoiced>>;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  const ada = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at);
  by = { actor: ada.actor, at };
});
afterAll(() => database.drop());
beforeEach(async () => {
  one = await enrolInvoiced(database.db, { today, at });
  two = await enrolInvoiced(database.db, { today, at });
});

async function pay(amountCents: number, enrolmentId: number | null = null, source: string = crypto.randomUUID()) {
  const method = source.startsWith('pi_') ? 'card' : 'bank';
  const payment = { ...by, enrolmentId, amountCents, receivedOn: today, method, idempotencyKey: source } as const;
  return (await database.db.transaction().execute((trx) => recordPayment(trx, payment))).paymentId;
}
const divide = (paymentId: number, shares: [number, number][]) =>
  database.db.transaction().execute((trx) => dividePayment(trx, { ...by, paymentId, shares: new Map(shares) }));
const refund = (paymentId: number, amountCents: number) =>
  database.db
    .transaction()
    .execute((trx) =>
      recordRefund(trx, { ...by, paymentId, amountCents, reason: 'Cancelled', idempotencyKey: crypto.randomUUID() }),
    );
const owed = async () => [await balancesOf(database.db, one.id), await balancesOf(database.db, two.id)];
const both = (computed: number, other: number) => [
  { computed, listed: computed },
  { computed: other, listed: other },
];
const pieces = async (paymentId: number) =>
  (await readArrival(database.db, paymentId))?.pieces.map(({ enrolment_id, amount_cents }) => [
    enrolment_id,
    amount_cents,
  ]);

test('P39: one transfer pays two invoices, and every cent is assigned', async () => {
  const paymentId = await pay(459_800);
  expect(
    await divide(paymentId, [
      [one.id, 229_900],
      [two.id, 229_900],
    ]),
  ).toEqual({ ok: true });
  expect(await owed()).toEqual(both(0, 0));
  expect(await pieces(paymentId)).toEqual([
    [one.id, 229_900],
    [two.id, 229_900],
  ]);
  // The same again changes nothing, by whichever piece it is asked for.
  const [, part] = (await readArrival(database.db, paymentId))?.pieces ?? [];
  expect(
    await divide(part?.id ?? 0, [
      [one.id, 229_900],
      [two.id, 229_900],
    ]),
  ).toEqual({ ok: true });
  expect(await owed()).toEqual(both(0, 0));
  expect(
    await divide(paymentId, [
      [one.id, 229_900],
      [two.id, 229_901],
    ]),
  ).toEqual({
    ok: false,
    reason: 'too-much',
    arrivedCents: 459_800,
  });
  // The rest belongs to no invoice.
  expect(await divide(paymentId, [[two.id, 100_000]])).toEqual({ ok: true });
  expect(await owed()).toEqual(both(229_900, 129_900));
  expect(await divide(paymentId, [])).toEqual({ ok: true });
  expect(await owed()).toEqual(both(229_900, 229_900));
  expect(await pieces(paymentId)).toEqual([[null, 459_800]]);
  const entries = await database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject', 'in', [`payment:${paymentId}`, `enrolment:${one.reference}`])
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual([
    'record-payment',
    'divide-payment',
    'assign-payment',
    'divide-payment',
    'divide-payment',
    'unassign-payment',
    'divide-payment',
  ]);
  const [first, second] = [one.reference, two.reference];
  const changes = await changesOf(database.db, `payment:${paymentId}`);
  expect(changes.filter(([action]) => action === 'divide-payment').sort()).toEqual(
    [
      ['divide-payment', first, 0, 229_900],
      ['divide-payment', second, 0, 229_900],
      ['divide-payment', first, 229_900, 0],
      ['divide-payment', second, 229_900, 100_000],
      ['divide-payment', second, 100_000, 0],
    ].sort(),
  );
  expect(await changesOf(database.db, `enrolment:${first}`)).toEqual([
    ['assign-payment', 'cents', 0, 229_900],
    ['unassign-payment', 'cents', 229_900, 0],
  ]);
});

test('a wrong assignment is moved; its refunded part stays where it was', async () => {
  const paymentId = await pay(229_900, one.id);
  expect(await divide(paymentId, [[two.id, 229_900]])).toEqual({ ok: true });
  expect(await owed()).toEqual(both(229_900, 0));
  const sent = await refund(paymentId, 50_000);
  expect(await divide(paymentId, [[one.id, 229_900]])).toEqual({
    ok: false,
    reason: 'refunded',
    enrolmentId: two.id,
    sentCents: 50_000,
  });
  expect(
    await divide(paymentId, [
      [one.id, 179_900],
      [two.id, 50_000],
    ]),
  ).toEqual({ ok: true });
  expect(await owed()).toEqual(both(50_000, 229_900));
  // The refund failed: its money can be moved as well.
  if (!sent.ok) throw new Error('not refunded');
  await database.db.transaction().execute((trx) => failRefund(trx, { ...by, refundId: sent.refundId }));
  expect(await divide(paymentId, [[one.id, 229_900]])).toEqual({ ok: true });
  expect(await owed()).toEqual(both(0, 229_900));
  expect(await pieces(paymentId)).toEqual([[one.id, 229_900]]);
});

test('two who divide at once, or divide while a refund leaves, never make or lose a cent', async () => {
  const paymentId = await pay(300_000, one.id);
  const results = await Promise.all([
    divide(paymentId, [
      [one.id, 100_000],
      [two.id, 200_000],
    ]),
    divide(paymentId, [[two.id, 300_000]]),
    refund(paymentId, 60_000),
    divide(paymentId, [[one.id, 150_000]]),
  ]);
  expect(results.some(({ ok }) => ok)).toBe(true);
  const arrival = await readArrival(database.db, paymentId);
  expect(arrival?.pieces.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(300_000);
  for (const piece of arrival?.pieces ?? []) expect(piece.amount_cents).toBeGreaterThanOrEqual(piece.sentCents);
  for (const { computed, listed } of await owed()) expect(listed).toBe(computed);
});

test('a card payment stays whole, and so does what the database holds', async () => {
  const paymentId = await pay(229_900, one.id, `pi_${crypto.randomUUID()}`);
  expect(await divide(paymentId, [[one.id, 100_000]])).toEqual({ ok: false, reason: 'by-card' });
  expect(await divide(paymentId, [[two.id, 229_900]])).toEqual({ ok: true });
  expect(await owed()).toEqual(both(229_900, 0));
  const whole = await pay(300_000);
  await divide(whole, [[one.id, 100_000]]);
  const tamper = database.db.updateTable('payments').set({ amount_cents: 1 }).where('id', '=', whole);
  await expect(tamper.execute()).rejects.toThrow('do not add up');
});

test('a divided transfer that the bank took back opens every invoice again, and is still known in the statement', async () => {
  const file = `08/09/2025,+4598.00,${one.reference} ${two.reference}`;
  const read = async (text: string) => {
    const statement = await readStatement(text, today);
    if (!statement.ok) throw new Error(statement.why);
    return statement.lines;
  };
  await recordStatement(database.db, await read(file), by);
  const { id: paymentId } = await database.db
    .selectFrom('payments')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await divide(paymentId, [
    [one.id, 229_900],
    [two.id, 229_900],
  ]);
  expect(await recordStatement(database.db, await read(file), by)).toMatchObject({ recorded: 0, known: 1 });
  await recordStatement(database.db, await read(`08/09/2025,-4598.00,DISHONOUR ${one.reference} ${two.reference}`), by);
  const lineId = (await outgoingLines(database.db, 1))[0]?.id ?? 0;
  const taken = await database.db
    .transaction()
    .execute((trx) => recordTakenBack(trx, { ...by, lineId, refundSeen: null }));
  expect(taken).toEqual({ ok: true, references: [one.reference, two.reference] });
  expect(await owed()).toEqual(both(229_900, 229_900));
});

test('P83: a payment of which a part is somebody’s, or was refunded, is not set aside', async () => {
  const aside = (paymentId: number) =>
    database.db.transaction().execute((trx) => setPaymentAside(trx, { ...by, paymentId, why: 'Not for us' }));
  const divided = await pay(300_000);
  await divide(divided, [[two.id, 100_000]]);
  const refunded = await pay(5_000);
  expect(await refund(refunded, 5_000)).toMatchObject({ ok: true });
  const partly = await pay(300_000, one.id);
  await divide(partly, [[one.id, 100_000]]);
  const idsOf = async (paymentId: number) =>
    (await readArrival(database.db, paymentId))?.pieces.map(({ id }) => id) ?? [];
  const parts = [...(await idsOf(divided)), ...(await idsOf(partly))];
  expect(parts).toHaveLength(4);
  for (const id of [...parts, refunded]) expect(await aside(id)).toEqual({ ok: false, reason: 'not-alone' });
  expect(await aside(await pay(5_000))).toEqual({ ok: true });
});
