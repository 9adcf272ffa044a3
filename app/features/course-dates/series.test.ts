import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weekdayOf } from '#app/lib/dates.ts';
import { zoneAbbreviation } from '#app/lib/wall-clock.ts';
import type { CourseDateTimes } from './changed-times.ts';
import { type Busy, clashesOf } from './clashes.ts';
import { copiesOf, copyOf, datesOfSeries, lastHolidayKnown } from './planner.ts';

type Holidays = Parameters<typeof datesOfSeries>[2];
const holiday = (name: string, states: Holidays[number]['states'], days: string[]): Holidays[number] => ({
  slug: name.toLowerCase().replace(' ', '-'),
  name,
  states,
  rule: 'As the Act says',
  source: 'An Act',
  days,
});
const holidays = [
  holiday('Good Friday', ['QLD', 'NSW', 'VIC'], ['2027-03-26']),
  holiday('Melbourne Cup', ['VIC'], ['2027-11-02']),
  holiday('Labour Day', ['QLD'], ['2027-05-03']),
];
const first: CourseDateTimes = {
  startDate: '2027-03-09',
  endDate: '2027-03-09',
  startTime: '09:00',
  endTime: '11:00',
  breakMinutes: 0,
  delivery: 'in-person',
  venue: 'Sydney',
  instructor: 'mara',
  enrolmentEnds: '2027-03-05',
  decidedBy: '2027-02-22',
};
const starts = (dates: readonly { startDate: string }[]) => dates.map(({ startDate }) => startDate);

test('P77: every second Tuesday, four times; the days of decision and enrolment go along', () => {
  const { dates, skipped } = datesOfSeries(first, { times: 4, everyWeeks: 2 }, holidays);
  expect(starts(dates)).toEqual(['2027-03-09', '2027-03-23', '2027-04-06', '2027-04-20']);
  expect(dates.at(-1)).toMatchObject({ endDate: '2027-04-20', enrolmentEnds: '2027-04-16', decidedBy: '2027-04-05' });
  expect(skipped).toEqual([]);
});

test('P77: a date on a public holiday of its place is left out, and another one follows at the end', () => {
  const fridays = { ...first, startDate: '2027-03-19', endDate: '2027-03-19' };
  const { dates, skipped } = datesOfSeries(fridays, { times: 4, everyWeeks: 1 }, holidays);
  expect(starts(dates)).toEqual(['2027-03-19', '2027-04-02', '2027-04-09', '2027-04-16']);
  expect(skipped).toMatchObject([{ startDate: '2027-03-26', holiday: { name: 'Good Friday' } }]);
  // Labour Day of Queensland is a working day in Sydney, and is none for what is taught online from Brisbane.
  const monday = { ...first, startDate: '2027-05-03', endDate: '2027-05-04' };
  expect(datesOfSeries(monday, { times: 1, everyWeeks: 1 }, holidays).skipped).toEqual([]);
  const online = { ...monday, venue: null };
  expect(starts(datesOfSeries(online, { times: 1, everyWeeks: 1 }, holidays).dates)).toEqual(['2027-05-10']);
});

test('P77: a day of decision on a public holiday of Queensland is the business day before', () => {
  const monday = { ...first, startDate: '2027-05-24', endDate: '2027-05-24', decidedBy: '2027-04-26' };
  const { dates } = datesOfSeries(monday, { times: 2, everyWeeks: 1 }, holidays);
  expect(dates.map(({ decidedBy }) => decidedBy)).toEqual(['2027-04-26', '2027-04-30']);
});

test('P77: a copy goes another week on for each holiday that it would meet, and says so', () => {
  const one = { ...first, startDate: '2026-12-17', endDate: '2026-12-18' };
  const { date, weeks, passed } = copyOf(one, 14, holidays);
  expect([date.startDate, date.endDate, weeks]).toEqual(['2027-04-01', '2027-04-02', 15]);
  expect(passed.map(({ name }) => name)).toEqual(['Good Friday']);
  // It then starts after what started later, and stands there in the plan.
  const next = { ...one, startDate: '2026-12-21', endDate: '2026-12-21' };
  expect(starts(copiesOf([one, next], 14, holidays).map((copy) => copy.date))).toEqual(['2027-03-29', '2027-04-01']);
});

test('a list of holidays without end makes no series without end', () => {
  const always = [
    holiday(
      'Every Tuesday',
      ['NSW'],
      Array.from({ length: 40 }, (_, week) => new Date(Date.UTC(2027, 2, 9 + week * 7)).toISOString().slice(0, 10)),
    ),
  ];
  expect(datesOfSeries(first, { times: 2, everyWeeks: 1 }, always).dates).toEqual([]);
  expect(lastHolidayKnown(always)).toBe('2027-12-07');
  expect(lastHolidayKnown([])).toBe(null);
});

test('a series keeps its weekday, its distance and its length, whatever it is', () => {
  const offset = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(offset, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 8 }), (ahead, times, everyWeeks) => {
      const day = new Date(Date.UTC(2027, 0, 4 + ahead)).toISOString().slice(0, 10);
      const { dates, skipped } = datesOfSeries(
        { ...first, startDate: day, endDate: day },
        { times, everyWeeks },
        holidays,
      );
      const all = [...starts(dates), ...starts(skipped)].toSorted();
      expect(dates).toHaveLength(times);
      expect(new Set(all.map(weekdayOf))).toEqual(new Set([weekdayOf(day)]));
      const gaps = all.slice(1).map((one, at) => (Date.parse(one) - Date.parse(all[at] ?? '')) / 86_400_000);
      expect(gaps.every((gap) => gap === everyWeeks * 7)).toBe(true);
    }),
  );
});

const busy = (parts: Partial<Busy>): Busy => ({ ...first, courseId: 1, room: null, ...parts });

test('DST: the same wall time in Sydney meets a class from Brisbane before summer time ends, and another one after it', () => {
  const { dates } = datesOfSeries(first, { times: 4, everyWeeks: 2 }, []);
  expect(dates.map(({ startDate }) => zoneAbbreviation('Australia/Sydney', startDate))).toEqual([
    'AEDT',
    'AEDT',
    'AEST',
    'AEST',
  ]);
  // 9:00 to 11:00 in Sydney is 8:00 to 10:00 in Brisbane until 4 April 2027, then 9:00 to 11:00.
  const taughtOnline = (startTime: string, endTime: string) =>
    dates.map(({ startDate, endDate }) => {
      const parts = { startDate, endDate, startTime, endTime, venue: null, delivery: 'online', courseId: 2 } as const;
      return clashesOf(busy({ startDate, endDate }), busy(parts)).join();
    });
  expect(taughtOnline('10:00', '12:00')).toEqual(['', '', 'instructor', 'instructor']);
  expect(taughtOnline('07:30', '08:30')).toEqual(['instructor', 'instructor', '', '']);
  expect(taughtOnline('11:00', '12:00')).toEqual(['', '', '', '']);
});

test('P77: instructor, room and course clash, each only where it does', () => {
  const own = busy({});
  expect(clashesOf(own, busy({ courseId: 2 }))).toEqual(['instructor']);
  expect(clashesOf(own, busy({ courseId: 2, startTime: '11:00', endTime: '13:00' }))).toEqual([]);
  const evening = { courseId: 2, startTime: '18:00', endTime: '21:00' };
  expect(clashesOf(own, busy({ ...evening, venue: 'Melbourne' }))).toEqual(['instructor']);
  expect(clashesOf(own, busy({ ...evening, venue: null }))).toEqual([]);
  const room = { courseId: 2, instructor: 'noor', room: 'Level 9, room 9.2' };
  expect(clashesOf(busy({ room: ' level 9, Room 9.2' }), busy(room))).toEqual(['room']);
  expect(clashesOf(busy({ room: 'Level 9, room 9.1' }), busy(room))).toEqual([]);
  expect(clashesOf(busy({ room: room.room }), busy({ ...room, venue: 'Melbourne' }))).toEqual([]);
  expect(clashesOf(own, busy({ instructor: 'noor', startTime: '12:00', endTime: '13:00' }))).toEqual(['course']);
  expect(clashesOf(own, busy({ startDate: '2027-03-10', endDate: '2027-03-12' }))).toEqual([]);
});
