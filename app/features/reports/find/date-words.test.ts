import { expect, test } from 'vitest';
import { daysMeant } from './courses.server.ts';

test('a word means the days that have it at the beginning of their weekday, month, number or year', () => {
  const none = { weekdays: [], months: [], days: [], years: [] };
  expect(daysMeant('tu')).toEqual({ ...none, weekdays: [2] });
  expect(daysMeant('su')).toEqual({ ...none, weekdays: [7] });
  expect(daysMeant('ma')).toEqual({ ...none, months: [3, 5] });
  expect(daysMeant('31')).toEqual({ ...none, days: [31] });
  // A sign alone is a whole word, so 3 is neither 30 nor 31.
  expect(daysMeant('3')).toEqual({ ...none, days: [3] });
  expect(daysMeant('2025')).toEqual({ ...none, years: [2025] });
  expect(daysMeant('20')).toMatchObject({ days: [20], years: expect.arrayContaining([2000, 2099]) });
  expect(daysMeant('ada')).toEqual(none);
});
