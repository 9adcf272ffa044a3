import { expect, test } from 'vitest';
import { dayIn } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import type { CourseDate } from './course-date.ts';
import { viewOf } from './course-date-view.ts';
import { decisionText, standingOf, takesEnrolments } from './rules.ts';

/** In Sydney, across the first Sunday of October, when daylight saving begins there. */
const courseDate: CourseDate = {
  id: 1,
  slug: 'sydney',
  course: listedCourse(0).card,
  startDate: '2025-10-06',
  endDate: '2025-10-10',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: 60,
  zone: 'Australia/Sydney',
  delivery: 'in-person',
  venue: 'Sydney',
  instructor: 'Mara',
  seatsAvailable: 3,
  seatsSold: 2,
  kept: null,
  room: null,
  street: null,
  state: 'tentative',
  minimum: 4,
  decidedBy: '2025-09-20',
  enrolmentEnds: '2025-10-04',
};

test.each([
  ['2025-10-04', {}, 'open'],
  ['2025-10-04', { seatsAvailable: 0 }, 'full'],
  ['2025-10-05', {}, 'closed'],
  ['2025-10-05', { seatsAvailable: 0 }, 'closed'],
  ['2025-10-06', {}, 'running'],
  ['2025-10-06', { enrolmentEnds: '2025-10-08' }, 'open'],
  ['2025-10-07', { enrolmentEnds: '2025-10-08' }, 'running'],
  ['2025-10-10', {}, 'running'],
  ['2025-10-11', {}, 'done'],
  ['2025-10-04', { state: 'cancelled' as const }, 'cancelled'],
  ['2025-10-11', { state: 'cancelled' as const }, 'cancelled'],
])('P39: on %s a course date with %o is %s', (today, parts, standing) => {
  expect(standingOf({ ...courseDate, ...parts }, today)).toBe(standing);
});

test('P39: enrolment ends at midnight in Brisbane, an hour after midnight in Sydney once daylight saving began', () => {
  const at = (day: string, time: string) => {
    const today = dayIn('Australia/Brisbane', instantOf(day, time, 'Australia/Sydney'));
    return takesEnrolments({ ...courseDate, enrolmentEnds: '2025-10-05', state: 'confirmed' }, today);
  };
  expect([at('2025-10-05', '23:59'), at('2025-10-06', '00:59'), at('2025-10-06', '01:00')]).toEqual([
    true,
    true,
    false,
  ]);
  // The day before the change both clocks show the same.
  const before = (time: string) => {
    const today = dayIn('Australia/Brisbane', instantOf('2025-10-04', time, 'Australia/Sydney'));
    return takesEnrolments({ ...courseDate, enrolmentEnds: '2025-10-03', state: 'confirmed' }, today);
  };
  expect(before('00:00')).toBe(false);
});

test.each([
  ['2025-09-20', {}, 'Confirmed once 2 more enrol, and we decide by 20 September'],
  ['2025-09-20', { seatsSold: 3 }, 'Confirmed once 1 more enrols, and we decide by 20 September'],
  ['2025-09-20', { seatsSold: 4 }, 'Enough people have enrolled, and staff are confirming it'],
  ['2025-09-21', {}, 'Staff are deciding now whether it goes ahead'],
  ['2025-09-21', { state: 'confirmed' as const }, 'Confirmed'],
  ['2025-09-20', { state: 'cancelled' as const }, 'Cancelled'],
])('P39: on %s a course date with %o says: %s', (today, parts, words) => {
  expect(decisionText({ ...courseDate, ...parts }, today)).toBe(words);
});

test('a course date that cannot be had names the next date of its course that can', () => {
  const full = { ...courseDate, slug: 'full', seatsAvailable: 0, startDate: '2025-10-20', enrolmentEnds: '2025-10-17' };
  const later = {
    ...courseDate,
    slug: 'later',
    startDate: '2025-11-03',
    endDate: '2025-11-07',
    enrolmentEnds: '2025-11-01',
  };
  const other = { ...later, slug: 'other', course: listedCourse(1).card };
  const all = [{ ...courseDate, seatsAvailable: 0 }, full, other, later];
  expect(viewOf(full, all, '2025-10-01').next).toEqual({ slug: 'later', days: '3 to 7 November 2025' });
  expect(viewOf(later, all, '2025-10-01')).toMatchObject({ standing: 'open', next: null });
  expect(viewOf(full, [full, other], '2025-10-01').next).toBeNull();
});
