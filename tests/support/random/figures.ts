import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { cashByWeek, noCash, noRevenue, revenueByWeek, sumOf } from '#app/features/reports/money.server.ts';
import { anOwner } from '#tests/support/staff.ts';

/**
 * The figures of reports, whatever day they are cut at, sum to what the accounts of all enrolments say, to the cent.
 * `cut` is a day within the story.
 */
export async function figuresAgree(db: Db, cut: string): Promise<void> {
  const parts = [
    { from: '2020-01-01', end: cut },
    { from: cut, end: '2040-01-01' },
  ];
  let [revenue, cash] = [noRevenue, noCash];
  for (const part of parts) {
    revenue = sumOf(revenue, (await revenueByWeek(db, anOwner, part)).values());
    cash = sumOf(cash, (await cashByWeek(db, anOwner, part)).values());
  }
  const ids = (await db.selectFrom('enrolments').select('id').execute()).map(({ id }) => id);
  const sums = { invoiced: 0, credited: 0, paid: 0, refunded: 0 };
  for (const account of (await accountsOf(db, ids)).values()) {
    sums.invoiced += account.invoicedCents;
    sums.credited += account.creditedCents;
    sums.paid += account.paidCents;
    sums.refunded += account.refundedCents;
  }
  expect({
    invoiced: revenue.invoicedCents,
    credited: revenue.creditedCents,
    paid: cash.receivedCents - cash.unmatchedCents,
    refunded: cash.refundedCents - cash.unmatchedRefundedCents,
  }).toEqual(sums);
}
