import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { Busy } from './clashes.ts';
import { type HeldHour, hoursInTheWay, overlap } from './held-hours.ts';
import { clashesAmong } from './planner.ts';

const courseDate: Busy = {
  startDate: '2027-03-09',
  endDate: '2027-03-11',
  startTime: '09:00',
  endTime: '17:00',
  delivery: 'in-person',
  venue: 'Brisbane',
  instructor: 'ada',
  courseId: 1,
  room: null,
};
const hour = (starts: string, minutes = 60, instructor = 'ada'): HeldHour => {
  const from = new Date(starts);
  return {
    id: 1,
    title: 'CCSP',
    instructor,
    day: '2027-03-10',
    starts: from,
    ends: new Date(+from + minutes * 60_000),
  };
};

// Sydney is at +11 until 4 April 2027, Brisbane always at +10.
test.each([
  ['on the middle day', {}, hour('2027-03-10T16:30:00+10:00'), 1],
  ['from the minute in which the class ends', {}, hour('2027-03-10T17:00:00+10:00'), 0],
  ['until the minute in which it begins', {}, hour('2027-03-10T08:00:00+10:00'), 0],
  ['the day after', {}, hour('2027-03-12T10:00:00+10:00'), 0],
  ['by another instructor', {}, hour('2027-03-10T10:00:00+10:00', 60, 'noor'), 0],
  ['at 5 PM in Sydney, which is 4 PM in Brisbane', {}, hour('2027-03-10T17:00:00+11:00'), 1],
  ['at 5 PM in Brisbane, which is 6 PM in Sydney', { venue: 'Sydney' }, hour('2027-03-10T17:00:00+10:00'), 0],
  ['at 4 PM in Brisbane, where the class is online', { venue: null }, hour('2027-03-10T16:00:00+10:00'), 1],
])('P77: a live hour %s', (_, more, one, count) => {
  expect(hoursInTheWay({ ...courseDate, ...more }, [one])).toHaveLength(count);
});

const zones = { Sydney: 'Australia/Sydney', Melbourne: 'Australia/Melbourne', Brisbane: 'Australia/Brisbane' };
const clockOf = new Map(
  Object.values(zones).map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
const twoDigits = (n: number) => String(n).padStart(2, '0');

test('P77: a live hour is in the way exactly when some minute of it is one of the class on the clock of its city', () => {
  // The end of summer time, 4 April 2027, lies among the days; no class is held in the hour that comes twice.
  const drawn = fc.record({
    venue: fc.constantFrom(null, 'Sydney', 'Melbourne', 'Brisbane'),
    first: fc.nat(10),
    days: fc.nat(3),
    from: fc.integer({ min: 4, max: 20 }),
    hours: fc.integer({ min: 1, max: 3 }),
    hourDay: fc.nat(13),
    hourZone: fc.constantFrom(...Object.values(zones)),
    hourAt: fc.nat(95),
    quarters: fc.integer({ min: 1, max: 16 }),
  });
  let clashing = 0;
  fc.assert(
    fc.property(drawn, ({ venue, first, days, from, hours, hourDay, hourZone, hourAt, quarters }) => {
      const minutes = quarters * 15;
      const own: Busy = {
        ...courseDate,
        venue,
        delivery: venue ? 'in-person' : 'online',
        startDate: addDays('2027-03-29', first),
        endDate: addDays('2027-03-29', first + days),
        startTime: `${twoDigits(from)}:00`,
        endTime: `${twoDigits(from + hours)}:00`,
      };
      const day = addDays('2027-03-29', hourDay);
      const time = `${twoDigits(Math.floor(hourAt / 4))}:${twoDigits((hourAt % 4) * 15)}`;
      const starts = instantOf(day, time, hourZone);
      const live = { ...hour('2027-03-10T10:00:00Z'), day, starts, ends: new Date(+starts + minutes * 60_000) };
      const clock = clockOf.get(zones[venue ?? 'Brisbane']);
      const minutesOf = Array.from({ length: minutes }, (_, at) => clock?.format(+starts + at * 60_000).split(' '));
      const wanted = minutesOf.some(
        (at) =>
          at?.[0] !== undefined &&
          at[1] !== undefined &&
          own.startDate <= at[0] &&
          at[0] <= own.endDate &&
          own.startTime <= at[1] &&
          at[1] < own.endTime,
      );
      if (wanted) clashing++;
      expect(hoursInTheWay(own, [live]).length > 0).toBe(wanted);
      expect([...clashesAmong([{ ...own, id: 7 }], [live])].map(([id, kinds]) => [id, ...kinds])).toEqual(
        wanted ? [[7, 'instructor']] : [],
      );
    }),
    { numRuns: 2000 },
  );
  expect(clashing).toBeGreaterThan(20);
});

test('two live hours overlap when they share a minute', () => {
  const [a, b] = [hour('2027-03-10T10:00:00Z'), hour('2027-03-10T11:00:00Z')];
  expect([overlap(a, b), overlap(a, hour('2027-03-10T10:59:00Z')), overlap(a, a)]).toEqual([false, true, true]);
});
