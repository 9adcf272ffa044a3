import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inviteStaff } from '#app/features/accounts/commands.server.ts';
import { accountOf, documentsOf, paymentsToReview } from '#app/features/enrolments/money/accounts.server.ts';
import { issueAdjustmentNotes } from '#app/features/enrolments/money/adjustment-notes.server.ts';
import { balanceOf } from '#app/features/enrolments/money/balance.ts';
import { readStatement } from '#app/features/enrolments/money/bank-statement.server.ts';
import { issueTaxInvoice } from '#app/features/enrolments/money/invoices.server.ts';
import {
  assignPayment,
  failRefund,
  recordPayment,
  recordRefund,
} from '#app/features/enrolments/money/payments.server.ts';
import { previewStatement, recordStatement } from '#app/features/enrolments/money/statements.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

const today = '2025-09-08';
const at = new Date('2025-09-08T09:00:00+10:00');
const since = new Date(0);

let database: TestDatabase;
let by: { recordedBy: number; at: Date };
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  const ada = await inviteStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at);
  by = { recordedBy: ada.id, at };
});
afterAll(() => database.drop());
beforeEach(async () => {
  for (const table of ['refunds', 'payments'] as const) await database.db.deleteFrom(table).execute();
});

const inTransaction = <T>(
  work: (trx: Parameters<Parameters<ReturnType<typeof database.db.transaction>['execute']>[0]>[0]) => Promise<T>,
) => database.db.transaction().execute(work);

/** An enrolment with one guided place of AU$2,299, invoiced. */
async function enrol() {
  const { id, reference, places } = await writeEnrolment(database.db, [{ monday: '2025-10-13' }]);
  const invoice = await inTransaction((trx) => issueTaxInvoice(trx, { enrolmentId: id, placeIds: places, today, at }));
  return { id, reference, placeId: places[0] ?? 0, payment: invoice.facts.payment.reference };
}

const pay = (
  enrolmentId: number | null,
  amountCents: number,
  more: { receivedOn?: string; idempotencyKey?: string } = {},
) =>
  inTransaction((trx) =>
    recordPayment(trx, {
      ...by,
      enrolmentId,
      amountCents,
      receivedOn: today,
      method: 'bank',
      idempotencyKey: crypto.randomUUID(),
      ...more,
    }),
  );
const refund = (paymentId: number, amountCents: number, idempotencyKey: string = crypto.randomUUID()) =>
  inTransaction((trx) => recordRefund(trx, { ...by, paymentId, amountCents, reason: 'Cancelled', idempotencyKey }));
const balance = async (id: number) => balanceOf(await accountOf(database.db, id));
const oddities = async () => (await paymentsToReview(database.db, since)).map(({ id, why }) => [id, why]);

test('P39: what is owed is invoices less notes less payments plus refunds, and a failed refund opens it again', async () => {
  const { id, placeId } = await enrol();
  expect(await balance(id)).toBe(229_900);
  const { paymentId } = await pay(id, 229_900);
  expect(await balance(id)).toBe(0);
  const credits = [{ placeId, cents: 114_950 }];
  await inTransaction((trx) => issueAdjustmentNotes(trx, { enrolmentId: id, credits, reason: 'Cancelled', today, at }));
  expect(await balance(id)).toBe(-114_950);
  const sent = await refund(paymentId, 114_950);
  expect(await balance(id)).toBe(0);
  const refundId = sent.ok ? sent.refundId : 0;
  const fail = () => inTransaction((trx) => failRefund(trx, { ...by, refundId }));
  expect([await fail(), await fail(), await balance(id)]).toEqual([true, false, -114_950]);
  expect((await documentsOf(database.db, id)).map(({ kind }) => kind)).toEqual(['tax-invoice', 'adjustment-note']);
});

test('P25, P39: the same payment or refund is recorded once, and two refunds at once never exceed the payment', async () => {
  const { id } = await enrol();
  const first = await pay(id, 100_000, { idempotencyKey: 'one' });
  expect(await pay(id, 100_000, { idempotencyKey: 'one' })).toEqual({ paymentId: first.paymentId, repeat: true });
  expect(await balance(id)).toBe(129_900);
  const both = await Promise.all([refund(first.paymentId, 60_000, 'a'), refund(first.paymentId, 60_000, 'b')]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'more-than-paid', leftCents: 40_000 });
  const again = both[0]?.ok ? 'a' : 'b';
  expect(await refund(first.paymentId, 60_000, again)).toMatchObject({ ok: true, repeat: true });
  const audited = await database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject', '=', `payment:${first.paymentId}`)
    .execute();
  expect(audited.map(({ action }) => action)).toEqual(['record-payment', 'record-refund']);
});

test('P39: payments too small, too large, double, late, or for what is cancelled are listed, and change no place', async () => {
  const [small, large, late, cancelled, good] = [
    await enrol(),
    await enrol(),
    await enrol(),
    await enrol(),
    await enrol(),
  ];
  const { paymentId: tooSmall } = await pay(small.id, 229_899);
  const { paymentId: firstOfTwo } = await pay(large.id, 229_900);
  const { paymentId: secondOfTwo } = await pay(large.id, 229_900);
  const { paymentId: tooLate } = await pay(late.id, 229_900, { receivedOn: '2025-09-23' });
  await database.db
    .updateTable('places')
    .set({ state: 'cancelled', cancelled_at: at, cancelled_why: 'staff' })
    .where('id', '=', cancelled.placeId)
    .execute();
  const { paymentId: afterwards } = await pay(cancelled.id, 229_900);
  await pay(good.id, 229_900, { receivedOn: '2025-09-22' });
  const { paymentId: unmatched } = await pay(null, 50);
  expect(await oddities()).toEqual([
    [unmatched, ['unmatched']],
    [afterwards, ['cancelled']],
    [tooLate, ['late']],
    [secondOfTwo, ['too-large', 'double']],
    [firstOfTwo, ['too-large']],
    [tooSmall, ['too-small']],
  ]);
  const place = await database.db
    .selectFrom('places')
    .select('state')
    .where('id', '=', cancelled.placeId)
    .executeTakeFirst();
  expect(place).toEqual({ state: 'cancelled' });
  const assign = () =>
    inTransaction((trx) => assignPayment(trx, { ...by, paymentId: unmatched, enrolmentId: small.id }));
  expect([await assign(), await assign(), await balance(small.id)]).toEqual([true, false, -49]);
});

test('a bank statement is matched by reference, previewed, and recorded once however often it comes', async () => {
  const [one, two] = [await enrol(), await enrol()];
  const line = (day: string, dollars: string, words: string) => `${day}/09/2025,"+${dollars}","${words}","+1.00"`;
  const first = [
    line('10', '1000.00', `TRANSFER ${one.payment}`),
    line('10', '1000.00', `TRANSFER ${one.payment}`),
    line('10', '99.00', `FOR ${one.reference} AND ${two.reference}`),
    line('10', '5.00', 'INTEREST'),
  ];
  const read = (rows: readonly string[]) => {
    const statement = readStatement(rows.join('\r\n'));
    if (!statement.ok) throw new Error(statement.why);
    return statement.lines;
  };
  const preview = await previewStatement(database.db, read(first));
  expect(
    preview.map(({ enrolment, named, balanceAfterCents, known }) => [enrolment?.id, named, balanceAfterCents, known]),
  ).toEqual([
    [one.id, 1, 129_900, false],
    [one.id, 1, 29_900, false],
    [undefined, 2, null, false],
    [undefined, 0, null, false],
  ]);
  expect(await database.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  const record = (rows: readonly string[]) => inTransaction((trx) => recordStatement(trx, read(rows), by));
  expect(await record(first)).toEqual({ recorded: 4, known: 0, unmatched: 2 });
  expect(await record(first)).toEqual({ recorded: 0, known: 4, unmatched: 0 });
  const overlapping = [...first.slice(0, 2), line('11', '299.00', `inv ${one.payment.slice(3, 8)}`)];
  expect(
    (await previewStatement(database.db, read(overlapping))).map(({ known, balanceAfterCents }) => [
      known,
      balanceAfterCents,
    ]),
  ).toEqual([
    [true, 29_900],
    [true, 29_900],
    [false, 0],
  ]);
  const twice = await Promise.all([record(overlapping), record(overlapping)]);
  expect(twice.map(({ recorded }) => recorded).sort()).toEqual([0, 1]);
  expect([await balance(one.id), await balance(two.id)]).toEqual([0, 229_900]);
});
