import { expect, test } from 'vitest';
import { paidOf } from './ledger.ts';

test('P83: money counts for the places in their order, and for none twice', () => {
  const places = [
    { id: 7, chargedCents: 549_900 },
    { id: 8, chargedCents: 549_900 },
    { id: 9, chargedCents: 0 },
  ];
  expect([...paidOf(places, 700_000)]).toEqual([
    [7, 549_900],
    [8, 150_100],
    [9, 0],
  ]);
  expect([...paidOf(places, -5_000)]).toEqual([
    [7, 0],
    [8, 0],
    [9, 0],
  ]);
});
