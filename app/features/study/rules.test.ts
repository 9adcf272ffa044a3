import { expect, test } from 'vitest';
import { tapTime } from './marking.server.ts';
import { completionSentence, isMet, minutesAttended, progressPercent, xpEarned } from './rules.ts';

test('P43: progress is the share of attended minutes in whole percent, at most 99 until the certificate', () => {
  expect(progressPercent({ done: 0, of: 1260 }, false)).toBe(0);
  expect(progressPercent({ done: 419, of: 1260 }, false)).toBe(33);
  expect(progressPercent({ done: 1260, of: 1260 }, false)).toBe(99);
  expect(progressPercent({ done: 1008, of: 1260 }, true)).toBe(100);
  expect(progressPercent({ done: 0, of: 0 }, false)).toBe(0);
});

test('P59: minutes late and left early are deducted from a day; an excused attendee was not there', () => {
  expect(minutesAttended({ mark: 'present', minutesLate: 5, minutesLeftEarly: 60 }, 420)).toBe(355);
  expect(minutesAttended({ mark: 'excused', minutesLate: 0, minutesLeftEarly: 0 }, 420)).toBe(0);
});

test('P61: a share is met exactly or not at all', () => {
  expect(isMet({ by: 'attendance', percent: 80 }, { done: 1007, of: 1260 })).toBe(false);
  expect(isMet({ by: 'attendance', percent: 80 }, { done: 1008, of: 1260 })).toBe(true);
  expect(isMet({ by: 'exercises' }, { done: 6, of: 7 })).toBe(false);
  expect(isMet({ by: 'exercises' }, { done: 7, of: 7 })).toBe(true);
  expect(isMet({ by: 'attendance', percent: 80 }, { done: 0, of: 0 })).toBe(false);
});

test('P61: the page of a course names everything that completes it', () => {
  expect(completionSentence({ completion: { attendance: 90, attendanceAlone: true } }, false)).toBe(
    'We issue your certificate when you have attended at least 90% of the hours taught.',
  );
  expect(completionSentence({}, true)).toBe(
    'We issue your certificate when you have attended at least 80% of the hours taught and the work described above is accepted. In guided study, the exercise at the end of every module has to be accepted instead of attending.',
  );
});

test('P62: totals are rounded, so seven exercises of 2,000 XP are 286, 571, 857 … and 1,980 before the certificate', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((done) => xpEarned(2000, { done, of: 7 }))).toEqual([
    286, 571, 857, 1143, 1429, 1714, 1980,
  ]);
  // Sixty hours, 3,300 XP: five hours are 275, and with five minutes late in the third five 820 in all.
  expect(xpEarned(3300, { done: 300, of: 3600 })).toBe(275);
  expect(xpEarned(3300, { done: 895, of: 3600 })).toBe(820);
});

test('P59: a tap is as old as the time that passed on its device, and never before its day', () => {
  const received = new Date('2025-11-03T01:00:00Z');
  const day = { day: '2025-11-03', zone: 'Australia/Brisbane' };
  const passed = (ms: number) => tapTime({ tappedMs: 5_000, sentMs: 5_000 + ms }, received, day).toISOString();
  expect(passed(60_000)).toBe('2025-11-03T00:59:00.000Z');
  expect(passed(-60_000)).toBe('2025-11-03T01:00:00.000Z');
  expect(passed(9e12)).toBe('2025-11-02T14:00:00.000Z');
});
