import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { type Basis, basFigures } from '#app/features/reports/bas.ts';
import { cashByWeek, noCash, noRevenue, revenueByWeek, sumOf } from '#app/features/reports/money.server.ts';
import { type Period, periodOfQuarter } from '#app/features/reports/period.ts';
import { everyFigureRow, type FigureRow, type RowKind } from '#app/features/reports/rows.server.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  await writeTwoQuarters();
});
afterAll(() => database.drop());

type Work<T> = Parameters<ReturnType<TestDatabase['db']['transaction']>['execute']>[0] extends (
  trx: infer Trx,
) => unknown
  ? (trx: Trx) => Promise<T>
  : never;
const inTransaction = <T>(work: Work<T>): Promise<T> => database.db.transaction().execute(work);
const on = (today: string) => ({ today, at: new Date(`${today}T12:00:00+10:00`) });
const by = (at: string) => ({ actor: theProgram, at: new Date(at), idempotencyKey: crypto.randomUUID() });

const pay = (enrolmentId: number | null, amountCents: number, receivedOn: string) =>
  inTransaction((trx) =>
    recordPayment(trx, { ...by(`${receivedOn}T12:00:00+10:00`), enrolmentId, amountCents, receivedOn, method: 'bank' }),
  );
async function refund(paymentId: number, amountCents: number, at: string) {
  const sent = await inTransaction((trx) =>
    recordRefund(trx, { ...by(at), paymentId, amountCents, reason: 'Cancelled' }),
  );
  return sent.ok ? sent.refundId : expect.unreachable();
}

/**
 * A course of AU$2,299 invoiced on 29 September, paid in two parts on both sides of the quarter's end, half of it
 * credited and refunded in the next. A combo of AU$3,358.12 invoiced on the last day of the quarter. A course of AU$449.85
 * invoiced on 2 October, paid for, and refunded ten minutes into the new year.
 */
async function writeTwoQuarters() {
  const one = await writeEnrolment(database.db, [{ monday: '2025-10-13' }]);
  await inTransaction((trx) =>
    issueTaxInvoice(trx, { enrolmentId: one.id, placeIds: one.places, ...on('2025-09-29') }),
  );
  await pay(one.id, 100_000, '2025-09-30');
  const { paymentId: second } = await pay(one.id, 129_900, '2025-10-01');
  const credits = [{ placeId: one.places[0] ?? 0, cents: 114_950 }];
  await inTransaction((trx) =>
    issueAdjustmentNotes(trx, { enrolmentId: one.id, credits, reason: 'Cancelled', ...on('2025-10-06') }),
  );
  await refund(second, 114_950, '2025-10-06T09:00:00+10:00');

  const combo = await writeEnrolment(database.db, [
    { courseDate: 'security-plus-online', price: 149_900, discount: 44_985 },
    { monday: '2025-10-13', price: 329_900, discount: 99_003 },
  ]);
  await inTransaction((trx) =>
    issueTaxInvoice(trx, { enrolmentId: combo.id, placeIds: combo.places, ...on('2025-09-30') }),
  );
  await pay(combo.id, 335_812, '2025-10-15');
  const small = await writeEnrolment(database.db, [{ courseDate: 'security-plus-online', price: 44_985 }]);
  await inTransaction((trx) =>
    issueTaxInvoice(trx, { enrolmentId: small.id, placeIds: small.places, ...on('2025-10-02') }),
  );
  const { paymentId: last } = await pay(small.id, 44_985, '2025-12-31');
  await refund(last, 44_985, '2026-01-01T00:10:00+10:00');

  const { paymentId: unknown } = await pay(null, 5_000, '2025-09-15');
  const failed = await refund(unknown, 5_000, '2025-09-16T09:00:00+10:00');
  await inTransaction((trx) => failRefund(trx, { ...by('2025-09-20T09:00:00+10:00'), refundId: failed }));
}

async function figures(period: Period, basis: Basis) {
  const { db } = database;
  const revenue = sumOf(noRevenue, (await revenueByWeek(db, anOwner, period)).values());
  return basFigures(basis, revenue, sumOf(noCash, (await cashByWeek(db, anOwner, period)).values()));
}

test('P83: on accruals a document counts in the quarter of its issue, an adjustment note in its own', async () => {
  // AU$2,299 has GST of 209.00, the combo of 3,358.12 has 305.28.
  expect(await figures(periodOfQuarter('2025-07'), 'accruals')).toEqual({
    g1: 565_712,
    oneA: 51_428,
    oneB: 0,
    loweredBy: 0,
  });
  // 449.85 has 40.90; of 2,299 half is left, so 104.50 comes back.
  expect(await figures(periodOfQuarter('2025-10'), 'accruals')).toEqual({
    g1: 44_985,
    oneA: 4_090,
    oneB: 10_450,
    loweredBy: 114_950,
  });
  expect(await figures(periodOfQuarter('2026-01'), 'accruals')).toEqual({ g1: 0, oneA: 0, oneB: 0, loweredBy: 0 });
});

test('P83: on cash GST is one eleventh of what arrived for enrolments, and refunds count when they are sent', async () => {
  // AU$1,000 arrived; 50 more is for no enrolment.
  expect(await figures(periodOfQuarter('2025-07'), 'cash')).toEqual({
    g1: 100_000,
    oneA: 9_091,
    oneB: 0,
    loweredBy: 0,
  });
  // 1,299 + 3,358.12 + 449.85, and 1,149.50 back.
  expect(await figures(periodOfQuarter('2025-10'), 'cash')).toEqual({
    g1: 510_697,
    oneA: 46_427,
    oneB: 10_450,
    loweredBy: 114_950,
  });
  // Ten past midnight in Brisbane is still the old year in London.
  expect(await figures(periodOfQuarter('2026-01'), 'cash')).toEqual({ g1: 0, oneA: 0, oneB: 4_090, loweredBy: 44_985 });
});

test('P85: each figure is the sum of its rows, and years without any are empty', async () => {
  const sums = async (kind: RowKind, period: Period) => {
    const rows: FigureRow[] = [];
    for await (const piece of everyFigureRow(database.db, anOwner, { kind, period })) rows.push(...piece);
    return { rows: rows.length, cents: rows.reduce((sum, { cents }) => sum + cents, 0) };
  };
  const spring = periodOfQuarter('2025-10');
  expect(await sums('invoices', spring)).toEqual({ rows: 1, cents: 44_985 });
  expect(await sums('notes', spring)).toEqual({ rows: 1, cents: 114_950 });
  expect(await sums('received', spring)).toEqual({ rows: 3, cents: 510_697 });
  expect(await sums('refunded', spring)).toEqual({ rows: 1, cents: 114_950 });
  expect(await sums('unmatched', spring)).toEqual({ rows: 0, cents: 0 });
  expect(await sums('unmatched', periodOfQuarter('2025-07'))).toEqual({ rows: 1, cents: 5_000 });
  expect(await sums('cash', spring)).toEqual({ rows: 4, cents: 510_697 - 114_950 });
  const future = { from: '2031-01-01', end: '2032-01-01' };
  for (const kind of ['invoices', 'notes', 'cash'] as const)
    expect(await sums(kind, future)).toEqual({ rows: 0, cents: 0 });
  expect(await revenueByWeek(database.db, anOwner, future)).toEqual(new Map());
  expect(await cashByWeek(database.db, anOwner, future)).toEqual(new Map());
});
