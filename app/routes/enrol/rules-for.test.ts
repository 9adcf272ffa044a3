import { expect, test } from 'vitest';
import { rulesFor } from './rules-for.ts';

const ladder = { fullDays: 20, halfDays: 10, fullHours: 48, repricesKept: true, capsResale: true };
const ofSessions = /hours of enrolling|sells out|One move|cancel or move a date/;

test('P31, P40: only rules for the chosen ways are listed, with the numbers of the ladder', () => {
  expect(rulesFor(['guided'], ladder).filter((rule) => ofSessions.test(rule))).toEqual([]);
  expect(rulesFor(['guided', 'session'], ladder).filter((rule) => ofSessions.test(rule))).toHaveLength(4);
  const listed = rulesFor(['next-date'], ladder);
  expect(listed).toContain(
    'Once a course on the list has a date, we refund all of it until 20 days before the first day, half until 10 days before, then nothing.',
  );
  // The hours count from enrolling, long before there is a date.
  expect(listed.join()).not.toContain('hours');
});
