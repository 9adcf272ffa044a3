import { expect, test } from 'vitest';
import { type ProductToChoose, readChoice, staysTentative } from './choice.ts';

test('P39: people for whom no seat is left do not bring a date to its minimum', () => {
  const date = { state: 'tentative', missing: 4, seats: 5 } as const;
  expect([3, 4, 5, 6].map((people) => staysTentative(date, people))).toEqual([true, false, false, true]);
  expect(staysTentative({ ...date, state: 'confirmed', seats: 0 }, 1)).toBe(false);
});

test('a fault of a course without a choice does not repeat the title that stands before it', () => {
  const course = { id: 1, slug: 'a', title: 'Security+', hours: 8, priceCents: 100, dates: [], mondays: [] };
  const combo: ProductToChoose = {
    ...{ item: 'combo:a', title: 'Starter', comboId: 1, courses: [course] },
    ...{ prices: [], agreementFirst: false },
  };
  const read = readChoice(combo, { attendees: '1' });
  expect(read.ok ? [] : Object.values(read.errors)).toEqual(['Choose how you want to take it.']);
});
