import { beforeAll, expect, test } from 'vitest';
import { addDays } from '#app/lib/dates.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { moveDates, moveDatesBack, weeksToMove } from './calendar.ts';
import { extraWeeksFor, holidayDuring } from './holidays.ts';
import type { Content } from './schema.ts';

let academy: Content;
beforeAll(async () => {
  academy = await readAcademy();
});

/** The academy as a first import on `today` has it. */
function imported(content: Content, today: string) {
  const weeks = weeksToMove(content, today);
  const extra = extraWeeksFor(content, weeks, new Map());
  return { weeks, extra, moved: moveDates(content, weeks, extra) };
}

// Mondays from asOf to the end of 2028. The common move is the same from a Tuesday to the next Monday, so one day a week
// stands for every day on which the program may first be started.
const firstMonday = '2025-09-08';
const weeks = Array.from({ length: 170 }, (_, at) => addDays(firstMonday, at * 7));

test('whenever the first import is, no session falls on a public holiday of its place, and all dates can be moved back', () => {
  const unmoved = weeks.flatMap((today) => {
    const { weeks, extra, moved } = imported(academy, today);
    expect(moveDatesBack(moved, weeks, extra)).toEqual(academy);
    return moved.trainingSessions
      .filter((session) => holidayDuring(session, academy.holidays))
      .map(({ slug, startDate }) => `${today}: ${slug} on ${startDate}`);
  });
  expect(unmoved).toEqual([]);
});

test('the rule has work to do: by the common move alone, sessions fall on public holidays in many weeks', () => {
  const onHoliday = weeks.filter((today) =>
    moveDates(academy, weeksToMove(academy, today)).trainingSessions.some((one) =>
      holidayDuring(one, academy.holidays),
    ),
  );
  expect(onHoliday.length).toBeGreaterThan(20);
});

test('no instructor has to teach two sessions at once because one of them moved', () => {
  const clashes = weeks.flatMap((today) =>
    imported(academy, today).moved.trainingSessions.flatMap((one, at, all) =>
      all
        .slice(at + 1)
        .filter((other) => other.instructor === one.instructor && other.startDate <= one.endDate)
        .map((other) => `${today}: ${one.slug} and ${other.slug}`),
    ),
  );
  expect(clashes).toEqual([]);
});

test('with the clock at asOf nothing moves', () => {
  expect(imported(academy, academy.site.asOf).moved).toEqual(academy);
});

test('a session moves on by whole weeks past the holidays of its own place only', () => {
  // Sydney would teach from 28 December 2026: the additional day for Boxing Day, then New Year's Day.
  const { moved, extra } = imported(academy, '2026-11-21');
  const startOf = (slug: string) => moved.trainingSessions.find((one) => one.slug === slug)?.startDate;
  // The week of 4 January is taken: the same instructor teaches online.
  expect(startOf('web-testing-online')).toBe('2027-01-04');
  expect(startOf('ethical-hacker-sydney')).toBe('2027-01-11');
  expect([...extra].filter(([, weeks]) => weeks > 0).map(([slug]) => slug)).toContain('ethical-hacker-sydney');
});

test('a session known from an earlier import keeps its weeks, under a former slug too', () => {
  const [first] = academy.trainingSessions;
  if (!first) throw new Error('no session');
  const renamed = { ...academy, trainingSessions: [{ ...first, slug: 'renamed', aliases: [first.slug] }] };
  expect(extraWeeksFor(renamed, 60, new Map([[first.slug, 3]])).get('renamed')).toBe(3);
});

test('holidays are kept by state: Melbourne Cup Day stops Melbourne, not Brisbane', () => {
  const days = { startDate: '2026-11-02', endDate: '2026-11-06' };
  expect(holidayDuring({ ...days, zone: 'Australia/Melbourne' }, academy.holidays)).toEqual({
    name: 'Melbourne Cup Day',
    day: '2026-11-03',
  });
  expect(holidayDuring({ ...days, zone: 'Australia/Brisbane' }, academy.holidays)).toBeUndefined();
});
