import { expect, test } from 'vitest';
import { minutesADay, splitHours, taughtHours } from './taught-hours.ts';

const week = { startDate: '2025-10-27', endDate: '2025-10-31', startTime: '09:00', endTime: '17:30' };

test('hours taught are days times the day less its breaks', () => {
  expect(taughtHours({ ...week, breakMinutes: 60 })).toBe(37.5);
  expect(taughtHours({ ...week, endDate: week.startDate, breakMinutes: 30 })).toBe(8);
});

test('without breaks the whole day is taught', () => {
  expect(taughtHours(week)).toBe(42.5);
});

test('a course date over the end of a month and of daylight saving has its days counted by the calendar', () => {
  expect(taughtHours({ ...week, startDate: '2026-04-02', endDate: '2026-04-06', breakMinutes: 30 })).toBe(40);
});

test('minutes a day include the breaks', () => {
  expect(minutesADay(week)).toBe(510);
});

test('the hours of a course that are not taught are own time, never below zero', () => {
  expect(splitHours({ ...week, breakMinutes: 60 }, 80)).toEqual({ taught: 37.5, own: 42.5 });
  expect(splitHours({ ...week, breakMinutes: 60 }, 30)).toEqual({ taught: 37.5, own: 0 });
});
