import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dayIn, daysBetween } from './dates.ts';

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

test('the day depends on the zone', () => {
  const instant = new Date('2025-09-08T15:30:00Z');
  expect(dayIn('Australia/Brisbane', instant)).toBe('2025-09-09');
  expect(dayIn('Europe/London', instant)).toBe('2025-09-08');
});
