import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dayIn, daysBetween, formatDay, formatDays, formatMonth, shortMonth } from './dates.ts';
import { formatMoment } from './short-dates.ts';

test('days are added across months, years and leap days', () => {
  expect(addDays('2025-12-31', 1)).toBe('2026-01-01');
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2025-09-15', 63 * 7)).toBe('2026-11-30');
});

test('adding and counting days agree', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
      const from = date.toISOString().slice(0, 10);
      expect(daysBetween(from, addDays(from, days))).toBe(days);
    }),
  );
});

test('the calendar day of an instant depends on the time zone', () => {
  const instant = new Date('2025-09-08T15:30:00Z');
  expect(dayIn('Australia/Brisbane', instant)).toBe('2025-09-09');
  expect(dayIn('Europe/London', instant)).toBe('2025-09-08');
});

test('days are formatted for readers', () => {
  expect(formatDays('2025-09-15', '2025-09-19')).toBe('15 to 19 September 2025');
  expect(formatDays('2025-09-29', '2025-10-03')).toBe('29 September to 3 October 2025');
  expect(formatDays('2025-12-29', '2026-01-02')).toBe('29 December 2025 to 2 January 2026');
  expect(formatDays('2026-08-31', '2026-08-31')).toBe('31 August 2026');
  expect(formatDay('2025-09-15')).toBe('Monday 15 September 2025');
  expect(formatMonth('2025-09')).toBe('September 2025');
});

test('every day of a year and moment of a day reads as Node writes it, which other engines write otherwise', () => {
  const day = new Intl.DateTimeFormat('en-AU', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const moment = new Intl.DateTimeFormat('en-AU', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'Australia/Brisbane',
  });
  for (let at = 0; at < 366; at++) {
    const date = addDays('2024-01-01', at);
    expect(formatDay(date)).toBe(day.format(new Date(`${date}T12:00`)));
    const instant = new Date(Date.UTC(2024, 0, 1 + at, at % 24, at % 60));
    // Node writes “am” where the specification has “AM”.
    expect(formatMoment(instant)).toBe(moment.format(instant).replace(/[ap]m$/, (half) => half.toUpperCase()));
  }
  expect(shortMonth('2025-09-15')).toBe('Sept');
});
