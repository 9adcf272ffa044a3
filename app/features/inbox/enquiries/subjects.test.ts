import { expect, test } from 'vitest';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { subjectOf } from './subjects.ts';

const course = listedCourse(1, { title: 'Forensics', category: 'incident-response' });
const courseDate: CourseDate = {
  id: 1,
  slug: 'forensics-sydney',
  course: course.card,
  startDate: '2025-09-15',
  endDate: '2025-09-19',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: 60,
  zone: 'Australia/Sydney',
  delivery: 'in-person',
  venue: 'Sydney',
  instructor: 'Mara',
  seatsAvailable: 8,
  seatsSold: 0,
  kept: null,
  room: null,
  street: null,
  state: 'confirmed',
  minimum: 1,
  decidedBy: null,
  enrolmentEnds: '2025-09-12',
};
const snapshot = snapshotOf([course], { courseDates: [courseDate], aliases: new Map([['old-forensics', 'course-1']]) });
const on = (about: string | null, today = '2025-09-08') => subjectOf(snapshot, about, today);

test('the address names a course, a former slug of one, or a course date to come, each with the fitting interest', () => {
  const forensics = { about: 'course:course-1', label: 'Forensics', interest: 'digital-forensics' };
  expect(on('course:course-1')).toEqual(forensics);
  expect(on('course:old-forensics')).toEqual(forensics);
  expect(on('course-date:forensics-sydney')).toEqual({
    about: 'course-date:forensics-sydney',
    label: 'Forensics, 15 to 19 September 2025, In-Person Sydney',
    interest: 'digital-forensics',
  });
});

test.each([
  null,
  '',
  'course',
  'course:',
  'course:none',
  'constructor:course-1',
  'combo:course-1',
  'course-date:none',
  'certification:none',
  'quest-line:none',
])('%s names nothing we have', (about) => {
  expect(on(about)).toBeNull();
});

test('a course date that has begun is nothing to ask about', () => {
  expect(on('course-date:forensics-sydney', '2025-09-16')).toBeNull();
});

test('a category without a fitting interest is Other', () => {
  const finance = listedCourse(2, { category: 'finance' });
  expect(subjectOf(snapshotOf([finance]), 'course:course-2', '2025-09-08')?.interest).toBe('other');
});
