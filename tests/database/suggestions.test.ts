import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dividePayment } from '#app/features/money/divide-payment.server.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { acceptSuggestions, unmatchedPayments } from '#app/features/money/suggestions.server.ts';
import { keyOf, keyPattern } from '#app/features/money/suggestions.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { balancesOf } from '#tests/support/money.ts';
import { anOwner, makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

const today = '2025-09-08';
const at = new Date('2025-09-08T09:00:00+10:00');

let database: TestDatabase;
let by: { actor: StaffActor; at: Date };
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  by = { actor: (await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at)).actor, at };
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom('payments').execute();
});

/** An enrolment of a buyer, with one place that costs so many cents, invoiced. */
async function owes(price: number, name: string, mailbox = `${name.split(' ')[0]?.toLowerCase()}@example.com`) {
  const buyer = { buyer_name: name, email: mailbox, mailbox };
  const { id, reference, places } = await writeEnrolment(database.db, [{ monday: '2025-10-13', price }], buyer);
  await database.db
    .transaction()
    .execute((trx) => issueTaxInvoice(trx, { enrolmentId: id, placeIds: places, today, at }));
  return { id, reference };
}
const arrive = async (amountCents: number, words: string, enrolmentId: number | null = null) =>
  (
    await database.db.transaction().execute((trx) =>
      recordPayment(trx, {
        ...{ ...by, enrolmentId, amountCents, receivedOn: today, method: 'bank', words },
        idempotencyKey: crypto.randomUUID(),
      }),
    )
  ).paymentId;
const suggested = async () =>
  (await unmatchedPayments(database.db, { most: 50 })).payments.map(({ id, suggestions }) => ({
    id,
    all: suggestions.map((one) => [keyOf(one), one.sure]),
  }));
const accept = (wanted: [number, string][], sureOnly = false) =>
  database.db
    .transaction()
    .execute((trx) =>
      acceptSuggestions(trx, { ...by, sureOnly, wanted: wanted.map(([paymentId, key]) => ({ paymentId, key })) }),
    );
const balance = async (id: number) => (await balancesOf(database.db, id)).computed;

test('P83: a slip, a name and invoices that add up are found among all enrolments, and accepted once', async () => {
  const mary = await owes(111_100, 'Mary Shelley');
  const [one, two] = [await owes(40_000, 'Jane Austen'), await owes(52_300, 'Jane Austen')];
  const slip = `BB${mary.reference.slice(3, 7)}${mary.reference.slice(8)}${mary.reference.slice(7, 8)}`;
  const first = await arrive(111_100, `OSKO ${slip}`);
  const second = await arrive(92_300, 'DIRECT CREDIT AUSTEN JANE');
  const nothing = await arrive(77_700, 'INTEREST');
  const both = [one, two].map(({ reference }, at) => `${reference} ${[40_000, 52_300][at]}`).join(', ');
  expect(await suggested()).toEqual([
    { id: nothing, all: [] },
    { id: second, all: [[both, true]] },
    { id: first, all: [[`${mary.reference} 111100`, true]] },
  ]);
  expect(
    await accept(
      [
        [first, `${mary.reference} 111100`],
        [second, both],
      ],
      true,
    ),
  ).toEqual({
    accepted: [first, second],
    changed: [],
  });
  for (const { id } of [mary, one, two]) expect(await balance(id)).toBe(0);
  expect(await suggested()).toEqual([{ id: nothing, all: [] }]);
  // Sent again, nothing happens.
  expect(await accept([[second, both]])).toEqual({ accepted: [], changed: [second] });
  const piece = await database.db
    .selectFrom('payments')
    .select(['enrolment_id', 'amount_cents'])
    .where('part_of', '=', second)
    .execute();
  expect(piece).toEqual([{ enrolment_id: two.id, amount_cents: 52_300 }]);
});

test('P83: a suggestion that is no longer right is left, no matter who was first', async () => {
  const ada = await owes(123_400, 'Ada Lovelace');
  const key = `${ada.reference} 123400`;
  const payment = await arrive(123_400, 'ADA LOVELACE');
  expect(await suggested()).toEqual([{ id: payment, all: [[key, true]] }]);
  // Another payment settles it meanwhile.
  const other = await arrive(123_400, ada.reference, ada.id);
  expect(await accept([[payment, key]])).toEqual({ accepted: [], changed: [payment] });
  expect(await balance(ada.id)).toBe(0);
  await database.db.deleteFrom('payments').where('id', '=', other).execute();
  // Two presses at once: one accepts.
  const answers = await Promise.all([accept([[payment, key]]), accept([[payment, key]])]);
  expect(answers.flatMap(({ accepted }) => accepted)).toEqual([payment]);
  expect(await balance(ada.id)).toBe(0);
  const editor = staffActor(anOwner.person, 'editor');
  const work = database.db
    .transaction()
    .execute((trx) => acceptSuggestions(trx, { actor: editor, at, sureOnly: false, wanted: [] }));
  await expect(work).rejects.toThrow(NotPermitted);
});

test('P83: a payment that was sent back to its payer waits for no enrolment', async () => {
  const mary = await owes(111_100, 'Mary Shelley');
  const paymentId = await arrive(111_100, `OSKO ${mary.reference}`);
  expect(await suggested()).toMatchObject([{ id: paymentId }]);
  const refund = { paymentId, amountCents: 111_100, reason: 'Sent to us by mistake', idempotencyKey: 'back', ...by };
  expect(await database.db.transaction().execute((trx) => recordRefund(trx, refund))).toMatchObject({ ok: true });
  expect(await suggested()).toEqual([]);
  await database.db.deleteFrom('refunds').execute();
});

test('P83: two payments for one enrolment are a choice, and accepting the second after the first is refused', async () => {
  const grace = await owes(98_700, 'Grace Hopper');
  const key = `${grace.reference} 98700`;
  const [first, second] = [await arrive(98_700, 'GRACE HOPPER'), await arrive(98_700, 'GRACE HOPPER')];
  expect(await suggested()).toEqual([
    { id: second, all: [[key, false]] },
    { id: first, all: [[key, false]] },
  ]);
  expect(
    await accept(
      [
        [first, key],
        [second, key],
      ],
      true,
    ),
  ).toEqual({ accepted: [], changed: [first, second] });
  expect(await accept([[first, key]])).toEqual({ accepted: [first], changed: [] });
  expect(await accept([[second, key]])).toEqual({ accepted: [], changed: [second] });
  // Of a payment that was sent back, and the rest of one that was divided, nothing is suggested.
  expect(await balance(grace.id)).toBe(0);
});

test('P83: a suggestion of a part changes with the debt', async () => {
  const emmy = await owes(84_600, 'Emmy Noether');
  const part = await arrive(50_000, `PART ${emmy.reference}`);
  const [shown] = await suggested();
  const key = String(shown?.all[0]?.[0]);
  expect(key).toContain(`${emmy.reference} 50000`);
  await arrive(60_000, 'by hand', emmy.id);
  // AU$500 of AU$846 was shown; AU$246 is owed now, and the payment would be too much.
  expect(await accept([[part, key]])).toEqual({ accepted: [], changed: [part] });
  expect(await balance(emmy.id)).toBe(24_600);
});

test('P83: nothing is sure where the words also name an invoice of another enrolment, though that is paid', async () => {
  const [paid, open] = [await owes(71_200, 'Sofia Kovalevskaya'), await owes(71_200, 'Mary Somerville')];
  await arrive(71_200, 'paid', paid.id);
  const { number } = await database.db
    .selectFrom('tax_invoices')
    .select('number')
    .where('enrolment_id', '=', paid.id)
    .executeTakeFirstOrThrow();
  const payment = await arrive(71_200, `INV ${number} ${open.reference}`);
  expect((await suggested())[0]).toEqual({ id: payment, all: [[`${open.reference} 71200`, false]] });
});

test('P83: a payment that somebody took from an enrolment by hand is not sure for it again', async () => {
  const lise = await owes(66_600, 'Lise Meitner');
  const key = `${lise.reference} 66600`;
  const payment = await arrive(66_600, 'LISE MEITNER');
  expect(await accept([[payment, key]], true)).toEqual({ accepted: [payment], changed: [] });
  const shares = new Map<number, number>();
  await database.db.transaction().execute((trx) => dividePayment(trx, { paymentId: payment, shares, ...by }));
  expect((await suggested())[0]).toEqual({ id: payment, all: [[key, false]] });
  expect(await accept([[payment, key]], true)).toEqual({ accepted: [], changed: [payment] });
  expect(await accept([[payment, key]])).toEqual({ accepted: [payment], changed: [] });
});

test('P83: neither of two payments for one enrolment is sure, also when a page or a press has only one of them', async () => {
  const rosa = await owes(45_100, 'Rosalind Franklin');
  const key = `${rosa.reference} 45100`;
  const [first, second] = [await arrive(45_100, 'R FRANKLIN ROSALIND'), await arrive(45_100, rosa.reference)];
  const page = await unmatchedPayments(database.db, { most: 1 });
  expect(page.payments.map(({ id, suggestions }) => [id, suggestions[0]?.sure])).toEqual([[second, false]]);
  expect(await accept([[first, key]], true)).toEqual({ accepted: [], changed: [first] });
});

torture('P83: all enrolments of a company that owe the amount are considered', async () => {
  const acme = async (price: number, at: number) => owes(price, 'Acme Metalworks', `payer${at}@example.com`);
  await acme(33_300, 0);
  for (let at = 1; at < 13; at += 1) await acme(10_000, at);
  await acme(33_300, 13);
  for (const name of ['Ann Other', 'Bea Other', 'Cat Other']) await owes(33_300, name);
  await arrive(33_300, 'ACME METALWORKS PTY LTD');
  const [shown] = await suggested();
  expect(shown?.all.map(([, sure]) => sure)).toEqual([false, false]);
});

test('P83: a company that pays for ten enrolments at once can have its suggestion accepted', async () => {
  const ids: number[] = [];
  for (let at = 0; at < 10; at += 1) ids.push((await owes(10_100 + at, 'Zenith Welding', `z${at}@example.com`)).id);
  const payment = await arrive(101_045, 'ZENITH WELDING');
  const [shown] = await suggested();
  const key = String(shown?.all[0]?.[0]);
  expect(key.split(', ')).toHaveLength(10);
  // The form of the page refuses what is no key, and with it all that it would accept.
  expect(key).toMatch(keyPattern);
  expect(await accept([[payment, key]], true)).toEqual({ accepted: [payment], changed: [] });
  for (const id of ids) expect(await balance(id)).toBe(0);
});
