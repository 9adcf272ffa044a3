import { expect, test } from 'vitest';
import { rulesFor } from './rules-for.ts';

const ofCourseDates = /hours of enrolling|One move|cancel or move a date/;

test('P31, P100: only rules for the chosen ways are listed', () => {
  expect(rulesFor(['guided']).filter((rule) => ofCourseDates.test(rule))).toEqual([]);
  expect(rulesFor(['guided', 'date']).filter((rule) => ofCourseDates.test(rule))).toHaveLength(3);
  // The hours count from enrolling, long before there is a date.
  expect(rulesFor(['next-date']).join()).not.toContain('hours');
});
