import { expect, test } from 'vitest';
import { paidOf } from './ledger.ts';

const charge = (placeId: number, invoiceId: number, cents: number) => ({ placeId, invoiceId, cents });

test('P83: money counts for the places of its invoice in their order, and for none twice', () => {
  const charges = [charge(7, 1, 549_900), charge(8, 1, 549_900), charge(9, 2, 100_000)];
  // The later invoice is paid, of the earlier one a part is open.
  expect([...paidOf(charges, [{ id: 1, openCents: 399_800 }])]).toEqual([
    [7, { chargedCents: 549_900, paidCents: 549_900 }],
    [8, { chargedCents: 549_900, paidCents: 150_100 }],
    [9, { chargedCents: 100_000, paidCents: 100_000 }],
  ]);
});

test('a place has what all invoices charge for it', () => {
  expect([...paidOf([charge(7, 1, 100), charge(7, 2, 50)], [{ id: 2, openCents: 80 }])]).toEqual([
    [7, { chargedCents: 150, paidCents: 100 }],
  ]);
});
