import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { businessDayUntil, queenslandHolidays } from '#app/lib/business-days.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { holidayDuring, moveDates, weeksToMove } from './calendar.ts';
import type { Content } from './schema.ts';

let academy: Content;
beforeAll(async () => {
  academy = await readAcademy();
});

// Mondays from asOf to the end of 2028. The common move is the same from a Tuesday to the next Monday, so one day a week
// stands for every day on which the program may first be started.
const weeks = Array.from({ length: 170 }, (_, at) => addDays('2025-09-08', at * 7));

test('P13: with the clock at asOf nothing moves', () => {
  const { site, ...rest } = moveDates(academy, '2025-09-08');
  expect({ ...rest, site: { ...site, asOf: academy.site.asOf } }).toEqual(academy);
});

test('P95: without asOf, as an export leaves it, dates stay on any day', () => {
  const { asOf: _, ...site } = academy.site;
  expect(moveDates({ ...academy, site }, '2027-06-01')).toEqual({ ...academy, site });
});

test('P13: on any day, whole weeks bring the first course date to 7 to 13 days later', () => {
  const content = sampleContent([sampleCourse('a')]);
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const today = date.toISOString().slice(0, 10);
      const moved = moveDates(content, today);
      const distance = daysBetween(today, moved.courseDates[0]?.startDate ?? '');
      expect(distance).toBeGreaterThanOrEqual(7);
      expect(distance).toBeLessThanOrEqual(13);
    }),
  );
});

test('P13: every date moves by the same number of weeks', () => {
  const content = sampleContent([sampleCourse('a')]);
  expect(weeksToMove(content, '2026-11-21')).toBe(63);
  const moved = moveDates(content, '2026-11-21');
  expect(moved.courses[0]?.published).toBe('2026-03-23');
  expect(moved.courseDates[0]).toMatchObject({
    startDate: '2026-11-30',
    endDate: '2026-12-04',
    enrolmentEnds: '2026-11-29',
  });
});

test('whenever the database is filled, no course date falls on a public holiday of its place', () => {
  const onHoliday = weeks.flatMap((today) =>
    moveDates(academy, today)
      .courseDates.filter((courseDate) => holidayDuring(courseDate, academy.holidays))
      .map(({ slug, startDate }) => `${today}: ${slug} on ${startDate}`),
  );
  expect(onHoliday).toEqual([]);
});

test('P39: whenever the database is filled, no date is decided on a public holiday or a weekend', () => {
  const closed = queenslandHolidays(academy.holidays);
  const late = weeks.flatMap((today) =>
    moveDates(academy, today).courseDates.flatMap(({ slug, decidedBy }) =>
      decidedBy && decidedBy !== businessDayUntil(decidedBy, closed) ? `${today}: ${slug} by ${decidedBy}` : [],
    ),
  );
  expect(late).toEqual([]);
});

test('the rule has work to do: by the common move alone, course dates fall on public holidays in many weeks', () => {
  const weeksMoved = (today: string) => {
    const { courseDates } = moveDates({ ...academy, holidays: [] }, today);
    return courseDates.some((courseDate) => holidayDuring(courseDate, academy.holidays));
  };
  expect(weeks.filter(weeksMoved).length).toBeGreaterThan(20);
});

test('no instructor has to teach two course dates at once because one of them moved', () => {
  const clashes = weeks.flatMap((today) =>
    moveDates(academy, today).courseDates.flatMap((one, at, all) =>
      all
        .slice(at + 1)
        .filter((other) => other.instructor === one.instructor && other.startDate <= one.endDate)
        .map((other) => `${today}: ${one.slug} and ${other.slug}`),
    ),
  );
  expect(clashes).toEqual([]);
});

test('a course date moves on by whole weeks past the holidays of its own place only', () => {
  // Sydney would teach from 28 December 2026: the additional day for Boxing Day, then New Year's Day.
  const moved = moveDates(academy, '2026-11-21').courseDates;
  const startOf = (slug: string) => moved.find((one) => one.slug === slug)?.startDate;
  // The week of 4 January is taken: the same instructor teaches online.
  expect(startOf('web-testing-online')).toBe('2027-01-04');
  expect(startOf('ethical-hacker-sydney')).toBe('2027-01-11');
});

test('holidays are kept by state: Melbourne Cup Day stops Melbourne, not Brisbane', () => {
  const days = { startDate: '2026-11-02', endDate: '2026-11-06' };
  expect(holidayDuring({ ...days, zone: 'Australia/Melbourne' }, academy.holidays)).toEqual({
    name: 'Melbourne Cup Day',
    day: '2026-11-03',
  });
  expect(holidayDuring({ ...days, zone: 'Australia/Brisbane' }, academy.holidays)).toBeUndefined();
});
