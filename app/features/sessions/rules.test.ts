import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import { monthAfter, weeksOf } from './month-grid.ts';
import {
  formatTime,
  instantOf,
  quickStats,
  sessionsOn,
  timeWithOffset,
  upcomingSessions,
  zoneAbbreviation,
} from './rules.ts';
import { calendarSearch, parseCalendarQuery } from './schema.ts';
import type { TrainingSession } from './session.ts';

const session = (startDate: string, endDate: string, seatsAvailable = 10): TrainingSession => ({
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
});
const sessions = [
  session('2025-09-15', '2025-09-19', 12),
  session('2025-09-29', '2025-10-03', 20),
  session('2025-10-13', '2025-10-17', 8),
];

test('P13: the figures are counted from the sessions to come', () => {
  expect(quickStats(upcomingSessions(sessions, '2025-09-08'), '2025-09-08')).toEqual({
    upcomingCourses: 3,
    availableSeats: 40,
    thisMonth: 2,
  });
  expect(quickStats(upcomingSessions(sessions, '2025-09-16'), '2025-09-16')).toEqual({
    upcomingCourses: 2,
    availableSeats: 28,
    thisMonth: 1,
  });
});

test('P15: a session runs on its first day, its last, and those between', () => {
  expect(sessionsOn(sessions, '2025-10-01').map(({ slug }) => slug)).toEqual(['s-2025-09-29']);
  expect(sessionsOn(sessions, '2025-09-19')).toHaveLength(1);
  expect(sessionsOn(sessions, '2025-09-20')).toHaveLength(0);
});

test('P14: the abbreviation is the right one for the zone and the date', () => {
  expect(zoneAbbreviation('Australia/Brisbane', '2025-11-12')).toBe('AEST');
  expect(zoneAbbreviation('Australia/Sydney', '2025-09-15')).toBe('AEST');
  expect(zoneAbbreviation('Australia/Sydney', '2025-10-13')).toBe('AEDT');
  expect(zoneAbbreviation('Australia/Melbourne', '2025-10-27')).toBe('AEDT');
});

test('P14: wall-clock time to instant, before and in daylight saving', () => {
  expect(instantOf('2025-10-13', '09:00', 'Australia/Brisbane').toISOString()).toBe('2025-10-12T23:00:00.000Z');
  expect(instantOf('2025-10-13', '09:00', 'Australia/Sydney').toISOString()).toBe('2025-10-12T22:00:00.000Z');
  expect(instantOf('2025-09-15', '09:00', 'Australia/Sydney').toISOString()).toBe('2025-09-14T23:00:00.000Z');
});

test('an instant converts back to the same wall-clock time in its zone, on any day', () => {
  const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true });
  const zone = fc.constantFrom('Australia/Brisbane', 'Australia/Sydney', 'Europe/London');
  fc.assert(
    // Hours that daylight saving skips in none of these zones.
    fc.property(day, fc.integer({ min: 4, max: 23 }), zone, (date, hour, timeZone) => {
      const [wanted, time] = [date.toISOString().slice(0, 10), `${String(hour).padStart(2, '0')}:30`];
      const format = new Intl.DateTimeFormat('en-CA', {
        timeZone,
        hourCycle: 'h23',
        dateStyle: 'short',
        timeStyle: 'short',
      } as const);
      expect(format.format(instantOf(wanted, time, timeZone))).toBe(`${wanted}, ${time}`);
    }),
  );
});

test('times are formatted for readers', () => {
  expect(['09:00', '12:30', '17:00', '00:15'].map(formatTime)).toEqual(['9:00 AM', '12:30 PM', '5:00 PM', '12:15 AM']);
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

test('P15: today is selected by default; selecting a selected day clears the selection', () => {
  const today = '2025-09-08';
  const parse = (text: string) => parseCalendarQuery(new URLSearchParams(text), today);
  expect(parse('')).toMatchObject({ date: today, show: '2025-09' });
  expect(parse('date=none').date).toBeNull();
  expect(parse('date=2025-10-13')).toMatchObject({ date: '2025-10-13', show: '2025-10' });
  for (const odd of ['date=2025-02-30', 'date=soon', 'show=13', 'date=9999-99-99']) {
    expect(parse(odd)).toMatchObject({ date: today, show: '2025-09' });
  }
  for (const text of ['', '?date=none', '?date=2025-10-13&show=2025-11&mode=online']) {
    expect(calendarSearch(parse(text), today)).toBe(text);
  }
});

test.each([
  ['2025-09-15', 'Australia/Brisbane', '2025-09-15T09:00:00+10:00'],
  ['2025-10-13', 'Australia/Sydney', '2025-10-13T09:00:00+11:00'],
  ['2025-09-15', 'Asia/Kolkata', '2025-09-15T09:00:00+05:30'],
  ['2025-09-15', 'America/St_Johns', '2025-09-15T09:00:00-02:30'],
])('P14: 9 am on %s in %s is %s', (day, zone, text) => {
  expect(timeWithOffset(day, '09:00', zone)).toBe(text);
});
