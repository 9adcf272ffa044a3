import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysBetween } from '#app/lib/dates.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { moveDates, moveDatesBack, weeksToMove } from './calendar.ts';

test('P13: with the clock at asOf nothing moves', () => {
  expect(weeksToMove(sampleContent([sampleCourse('a')]), '2025-09-08')).toBe(0);
});

test('P13: on any day, whole weeks bring the first session to 7 to 13 days later', () => {
  const content = sampleContent([sampleCourse('a')]);
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const today = date.toISOString().slice(0, 10);
      const moved = moveDates(content, weeksToMove(content, today));
      const distance = daysBetween(today, moved.trainingSessions[0]?.startDate ?? '');
      expect(distance).toBeGreaterThanOrEqual(7);
      expect(distance).toBeLessThanOrEqual(13);
    }),
  );
});

test('P13: every date moves alike, and moves back', () => {
  const content = sampleContent([sampleCourse('a')]);
  const moved = moveDates(content, 63);
  expect(moved.courses[0]?.published).toBe('2026-03-23');
  expect(moved.trainingSessions[0]).toMatchObject({ startDate: '2026-11-30', endDate: '2026-12-04' });
  expect(moveDatesBack(moved, 63)).toEqual(content);
});
