import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import type { CourseDate } from './course-date.ts';
import { monthAfter, weeksOf } from './month-grid.ts';
import { courseDatesOn, formatCourseDateTime, nextDates, quickStats, upcomingCourseDates } from './rules.ts';
import { calendarSearch, parseCalendarQuery } from './schema.ts';

const courseDate = (startDate: string, endDate: string, seatsAvailable = 10): CourseDate => ({
  id: 1,
  slug: `s-${startDate}`,
  course: listedCourse(0).card,
  startDate,
  endDate,
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: 60,
  zone: 'Australia/Brisbane',
  delivery: 'online',
  venue: null,
  instructor: 'Mara',
  seatsAvailable,
  seatsSold: 0,
  kept: null,
  room: null,
  street: null,
  state: 'confirmed',
  minimum: 1,
  decidedBy: null,
  enrolmentEnds: startDate,
});
const courseDates = [
  courseDate('2025-09-15', '2025-09-19', 12),
  courseDate('2025-09-29', '2025-10-03', 20),
  courseDate('2025-10-13', '2025-10-17', 8),
];

test('P13: the figures are counted from the course dates to come', () => {
  expect(quickStats(upcomingCourseDates(courseDates, '2025-09-08'), '2025-09-08')).toEqual({
    upcomingCourses: 3,
    availableSeats: 40,
    thisMonth: 2,
  });
  expect(quickStats(upcomingCourseDates(courseDates, '2025-09-16'), '2025-09-16')).toEqual({
    upcomingCourses: 2,
    availableSeats: 28,
    thisMonth: 1,
  });
});

test('P14: a course date over the begin of summer time names no zone that is untrue of some of its days', () => {
  const inSydney = (startDate: string, endDate: string) =>
    formatCourseDateTime({ startDate, endDate, startTime: '09:00', endTime: '17:00', zone: 'Australia/Sydney' });
  expect(inSydney('2025-09-29', '2025-10-03')).toBe('9:00\u00a0AM to 5:00\u00a0PM AEST');
  expect(inSydney('2025-10-02', '2025-10-08')).toBe('9:00\u00a0AM to 5:00\u00a0PM Sydney time');
  expect(inSydney('2025-10-06', '2025-10-10')).toBe('9:00\u00a0AM to 5:00\u00a0PM AEDT');
});

test('P38: a course is on dates while one of them can be enrolled in', () => {
  const [one] = courseDates;
  if (!one) throw new Error('no course date');
  const on = (parts: Partial<CourseDate>, today: string) =>
    Object.keys(nextDates([{ ...one, ...parts }], today)).length;
  expect(on({}, '2025-09-15')).toBe(1);
  expect(on({}, '2025-09-16')).toBe(0);
  expect(on({ state: 'cancelled' }, '2025-09-08')).toBe(0);
  expect(on({ enrolmentEnds: '2025-09-12' }, '2025-09-12')).toBe(1);
  expect(on({ enrolmentEnds: '2025-09-12' }, '2025-09-13')).toBe(0);
});

test('P38: a course is not on dates while every seat is sold or offered; one that is only held may come back', () => {
  const [one] = courseDates;
  if (!one) throw new Error('no course date');
  const on = (parts: Partial<CourseDate>) => Object.keys(nextDates([{ ...one, ...parts }], '2025-09-08')).length;
  const kept = { held: 0, heldUntil: null, offered: 0, quoted: 0 };
  expect(on({ seatsAvailable: 0 })).toBe(0);
  expect(on({ seatsAvailable: 0, kept: { ...kept, offered: 1 } })).toBe(0);
  expect(on({ seatsAvailable: 0, kept: { ...kept, held: 1, heldUntil: new Date('2025-09-08T00:00:00Z') } })).toBe(1);
});

test('P15: a course runs on its first day, its last, and those between', () => {
  expect(courseDatesOn(courseDates, '2025-10-01').map(({ slug }) => slug)).toEqual(['s-2025-09-29']);
  expect(courseDatesOn(courseDates, '2025-09-19')).toHaveLength(1);
  expect(courseDatesOn(courseDates, '2025-09-20')).toHaveLength(0);
});

test('a month is whole weeks, Monday first, each of its days once', () => {
  const month = fc.integer({ min: 0, max: 1200 }).map((by) => monthAfter('2000-01', by));
  fc.assert(
    fc.property(month, (wanted) => {
      const weeks = weeksOf(wanted);
      const days = weeks.flat().filter((day) => day !== null);
      expect(weeks.every((week) => week.length === 7)).toBe(true);
      expect(days[0]).toBe(`${wanted}-01`);
      expect(new Set(days).size).toBe(days.length);
      const next = new Date(`${monthAfter(wanted, 1)}-01T00:00:00Z`).getTime() - 86_400_000;
      expect(days.at(-1)).toBe(new Date(next).toISOString().slice(0, 10));
    }),
  );
});

test('P15: the picker opens on the first month with a date, and on that of a chosen day', () => {
  const show = (text: string) => parseCalendarQuery(new URLSearchParams(text), '2025-09-28', '2025-10').show;
  expect(show('')).toBe('2025-10');
  expect(show('date=2025-12-01')).toBe('2025-12');
  expect(show('show=2025-09')).toBe('2025-09');
});

test('P15: today is selected by default; selecting a selected day clears the selection', () => {
  const today = '2025-09-08';
  const parse = (text: string) => parseCalendarQuery(new URLSearchParams(text), today, '2025-09');
  expect(parse('')).toMatchObject({ date: today, show: '2025-09' });
  expect(parse('date=none').date).toBeNull();
  expect(parse('date=2025-10-13')).toMatchObject({ date: '2025-10-13', show: '2025-10' });
  for (const odd of ['date=2025-02-30', 'date=soon', 'show=13', 'date=9999-99-99']) {
    expect(parse(odd)).toMatchObject({ date: today, show: '2025-09' });
  }
  for (const text of ['', '?date=none', '?date=2025-10-13&show=2025-11&mode=online']) {
    expect(calendarSearch(parse(text), today, '2025-09')).toBe(text);
  }
});
