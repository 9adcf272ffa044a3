import { expect, test } from 'vitest';
import { staysTentative } from './choice.ts';

test('P39: people for whom no seat is left do not bring a date to its minimum', () => {
  const date = { state: 'tentative', missing: 4, seats: 5 } as const;
  expect([3, 4, 5, 6].map((people) => staysTentative(date, people))).toEqual([true, false, false, true]);
  expect(staysTentative({ ...date, state: 'confirmed', seats: 0 }, 1)).toBe(false);
});
