import { expect, test } from 'vitest';
import { type SeatSale, soldAgain } from './seats-sold-again.ts';

const settled = new Date('2025-09-22T09:00:00+10:00');
const sale = (placeId: number, changes: Partial<SeatSale>): SeatSale => ({
  placeId,
  soldAs: placeId,
  givenBackAs: null,
  soldAt: new Date('2025-09-08T09:00:00+10:00'),
  firm: false,
  settledAt: null,
  people: [placeId],
  mailboxes: [`${placeId}@example.com`],
  names: [`Player ${placeId}`],
  ...changes,
});

test('P40: what was settled at the moment of the sale stays settled, and a sale after it settles nothing', () => {
  const given = sale(1, { givenBackAs: 2, settledAt: settled });
  const soldAt = (soldAt: Date) => [...soldAgain([given, sale(3, { soldAt, firm: true })], 1)];
  expect(soldAt(settled)).toEqual([1]);
  expect(soldAt(new Date(settled.getTime() + 1))).toEqual([]);
});
