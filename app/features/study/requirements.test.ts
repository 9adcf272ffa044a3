import { expect, test } from 'vitest';
import { addDays } from '#app/lib/dates.ts';
import { requirementsInShort, requirementsOf } from './requirements.ts';
import type { StudyDay } from './study.server.ts';

const first = '2025-11-03';
/** Five days of eight hours, some of them marked; 80% of 40 hours are 32. */
const week = (...marks: ('present' | 'absent' | null)[]): StudyDay[] =>
  marks.map((mark, at) => ({
    day: addDays(first, at),
    minutes: 480,
    mark: mark && { id: at + 1, mark, minutesLate: 0, minutesLeftEarly: 0 },
    others: false,
  }));
const attending = (days: StudyDay[], work: Parameters<typeof requirementsOf>[0]['work'] = null) => ({
  rule: { by: 'attendance' as const, percent: 80 },
  share: { done: days.filter(({ mark }) => mark?.mark === 'present').length * 480, of: 2400 },
  days,
  work,
});
const during = { today: '2025-11-05', issued: false };
const stateOf = (...args: Parameters<typeof requirementsOf>) => requirementsOf(...args).counted.state;

test('P61: a learner reads the hours so far, the hours asked for, and which day is not marked yet', () => {
  expect(stateOf(attending(week(null, null, null, null, null)), { today: first, issued: false })).toBe(
    '0 h of 40 h so far. You need 32 h.',
  );
  expect(stateOf(attending(week('present', null, null, null, null)), during)).toBe(
    '8 h of 40 h so far. You need 32 h. 1 past day is not marked yet.',
  );
  const enough = requirementsOf(attending(week('present', 'present', 'present', 'present', null)), during);
  expect(enough.counted).toMatchObject({ met: true, state: 'Done. You attended 32 h of 40 h.' });
});

test('P61: a learner who missed too much reads it, not before', () => {
  expect(stateOf(attending(week('absent', 'present', null, null, null)), during)).not.toContain('Call us');
  expect(stateOf(attending(week('absent', 'absent', null, null, null)), during)).toBe(
    '0 h of 40 h so far. You need 32 h. The days left are too few to reach that on this date. Call us about it.',
  );
});

test('P61: the work of the course is named in its words, and accepted when a person says so or with the certificate', () => {
  const asked = { text: 'A capstone project.', acceptedAt: null };
  const study = attending(week('present', 'present', 'present', 'present', 'present'), asked);
  const before = requirementsOf(study, during);
  expect(before.work).toMatchObject({ text: 'A capstone project.', met: false });
  expect(before.work?.state).toContain('Not accepted yet.');
  expect(requirementsInShort(before)).toBe(
    'For the certificate: Done. You attended 40 h of 40 h. The work of the course has to be accepted too.',
  );
  expect(requirementsOf(study, { ...during, issued: true }).work).toMatchObject({ met: true });
  // Late on the 4th in London it is the 5th in Brisbane.
  const accepted = { ...study, work: { ...asked, acceptedAt: new Date('2025-11-04T22:00:00Z') } };
  const after = requirementsOf(accepted, during);
  expect(after.work).toMatchObject({ met: true, state: 'Done. It was accepted on Wednesday 5 November 2025.' });
  expect(requirementsInShort(after)).toMatch(/The work of the course is accepted\.$/);
  expect(requirementsOf(attending(study.days), during).work).toBeNull();
});

test('P61: guided study counts exercises, and a certificate stays whatever is marked after it', () => {
  const guided = { rule: { by: 'exercises' as const }, share: { done: 3, of: 8 }, days: [], work: null };
  expect(stateOf(guided, during)).toBe('3 of 8 exercises accepted so far.');
  expect(stateOf({ ...guided, share: { done: 8, of: 8 } }, during)).toBe('Done. All 8 exercises are accepted.');
  expect(requirementsOf(guided, { ...during, issued: true }).counted).toMatchObject({ met: true });
});
