import { expect, test } from 'vitest';
import { roomGains, turnsIn, untilText } from './rules.ts';

const entries = (...seats: number[]) => seats.map((one) => ({ seats: one }));

test('P48: the first that fits whole has its turn, and smaller ones behind it what is left', () => {
  expect(turnsIn(entries(3, 1, 2, 1), 3)).toEqual(entries(3));
  expect(turnsIn(entries(3, 1, 2, 1), 2)).toEqual(entries(1, 1));
  expect(turnsIn(entries(1), 0)).toEqual([]);
});

test('P48: the gains of a larger room', () => {
  expect(roomGains(entries(3, 1), 0)).toEqual([
    { more: 1, entries: 1, seats: 1 },
    { more: 3, entries: 1, seats: 3 },
    { more: 4, entries: 2, seats: 4 },
  ]);
  expect(roomGains(entries(1), 1)).toEqual([]);
});

test('the end of a day is named by its last minute', () => {
  expect(untilText(new Date('2025-11-02T14:00:00Z'))).toBe('2 Nov 2025, 11:59 PM, Brisbane time');
});
