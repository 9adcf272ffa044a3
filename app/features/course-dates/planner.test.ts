import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { type Busy, clashesOf, daysFrom, meet } from './clashes.ts';
import { clashesAmong, firstRows, neighbours, rowsOf, shownDays } from './planner.ts';

test('a week runs from Monday, a month from its first day to its last', () => {
  // 28 February 2027 is a Sunday.
  const week = shownDays('2027-02-28', 'week');
  expect([week.length, week[0], week.at(-1)]).toEqual([7, '2027-02-22', '2027-02-28']);
  const month = shownDays('2027-02-28', 'month');
  expect([month.length, month[0], month.at(-1)]).toEqual([28, '2027-02-01', '2027-02-28']);
  expect(neighbours('2027-03-31', 'month')).toEqual({ before: '2027-02-01', after: '2027-04-01' });
  expect(neighbours('2027-03-31', 'week')).toEqual({ before: '2027-03-24', after: '2027-04-07' });
});

test('course dates that overlap stand in rows of their own; every row has all the days', () => {
  const days = shownDays('2027-03-01', 'week');
  const courseDate = (name: string, startDate: string, endDate: string) => ({ name, startDate, endDate });
  const rows = rowsOf(
    [
      courseDate('c', '2027-03-04', '2027-03-09'),
      courseDate('a', '2027-02-25', '2027-03-02'),
      courseDate('b', '2027-03-02', '2027-03-03'),
      courseDate('gone', '2027-02-01', '2027-02-05'),
    ],
    days,
  );
  const words = rows.map((row) => row.map(({ days, courseDate }) => `${days} ${courseDate?.name ?? '-'}`).join(', '));
  expect(words).toEqual(['2 a, 1 -, 4 c', '1 -, 2 b, 1 -, 1 -, 1 -, 1 -']);
  expect(rowsOf([], days).map((row) => row.length)).toEqual([7]);
});

test('of too many course dates each lane keeps as many rows as the others, at least one, and says how many it lacks', () => {
  const row = (courseDates: number) => [
    { day: '2027-03-01', days: 1, courseDate: null },
    ...Array.from({ length: courseDates }, (_, at) => ({ day: `2027-03-0${at + 2}`, days: 1, courseDate: at })),
  ];
  const lanes = [
    { name: 'a', rows: [row(4), row(3), row(2)] },
    { name: 'b', rows: [row(2)] },
    { name: 'c', rows: [row(5), row(5)] },
  ];
  const kept = (most: number) => firstRows(lanes, most).map(({ name, rows, more }) => `${name} ${rows.length} ${more}`);
  expect(kept(21)).toEqual(['a 3 0', 'b 1 0', 'c 2 0']);
  // The first two rows of each have 19, the first of each 11.
  expect(kept(20)).toEqual(['a 2 2', 'b 1 0', 'c 2 0']);
  expect(kept(18)).toEqual(['a 1 5', 'b 1 0', 'c 1 5']);
  expect(kept(1)).toEqual(['a 1 5', 'b 1 0', 'c 1 5']);
  expect(firstRows([], 5)).toEqual([]);
});

test('P77: course dates on one clock meet when they share an hour of a day, as by comparing instants', () => {
  const drawn = fc.record({
    day: fc.nat(6),
    days: fc.nat(3),
    from: fc.integer({ min: 8, max: 14 }),
    hours: fc.integer({ min: 1, max: 4 }),
  });
  const two = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  fc.assert(
    // The first Sunday of April, when the clocks of Sydney go back, is the 4th.
    fc.property(drawn, drawn, fc.constantFrom(null, 'Sydney'), (first, second, venue) => {
      const [a, b] = [first, second].map(({ day, days, from, hours }) => ({
        startDate: addDays('2027-04-01', day),
        endDate: addDays('2027-04-01', day + days),
        startTime: two(from),
        endTime: two(from + hours),
        venue,
      })) as [Parameters<typeof meet>[0], Parameters<typeof meet>[0]];
      const zone = venue === null ? 'Australia/Brisbane' : 'Australia/Sydney';
      const spans = ({ startDate, endDate, startTime, endTime }: typeof a) =>
        daysFrom(startDate, endDate).map(
          (day) => [instantOf(day, startTime, zone), instantOf(day, endTime, zone)] as const,
        );
      const together = spans(a).some(([from, until]) => spans(b).some(([begin, end]) => from < end && begin < until));
      expect(meet(a, b)).toBe(together);
    }),
  );
});

test('P77: course dates that clash are found among many, as by comparing each with each', () => {
  const cities = [null, 'Brisbane', 'Perth'];
  const anyCourseDate = fc.record({
    day: fc.nat(20),
    days: fc.nat(4),
    teacher: fc.nat(2),
    city: fc.nat(2),
    course: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(anyCourseDate, { maxLength: 25 }), (drawn) => {
      const courseDates = drawn.map(({ day, days, teacher, city, course }, id): Busy & { id: number } => ({
        id,
        startDate: addDays('2027-03-01', day),
        endDate: addDays('2027-03-01', day + days),
        startTime: '09:00',
        endTime: '17:00',
        delivery: city === 0 ? 'online' : 'in-person',
        venue: cities[city] ?? null,
        instructor: `teacher-${teacher}`,
        courseId: course,
        room: city === 0 ? null : 'Room 1',
      }));
      const wanted = courseDates.flatMap((one) => {
        const others = courseDates.filter(({ id }) => id !== one.id);
        const kinds = new Set(others.flatMap((other) => clashesOf(one, other)));
        return kinds.size > 0 ? [[one.id, [...kinds].toSorted()] as const] : [];
      });
      const found = [...clashesAmong(courseDates)].map(([id, kinds]) => [id, [...kinds].toSorted()] as const);
      expect(found.toSorted(([a], [b]) => a - b)).toEqual(wanted);
    }),
  );
});

test('P77: a late evening in Brisbane clashes with the early morning after it in Sydney', () => {
  const taught = { delivery: 'in-person', instructor: 'ada', room: null } as const;
  const [brisbane, sydney] = [
    { startDate: '2027-03-01', endDate: '2027-03-01', startTime: '22:50', endTime: '23:50', venue: 'Brisbane' },
    { startDate: '2027-03-02', endDate: '2027-03-02', startTime: '00:10', endTime: '01:10', venue: 'Sydney' },
  ].map((its, id) => ({ ...taught, ...its, id, courseId: id }));
  if (!brisbane || !sydney) return expect.unreachable();
  expect([...clashesAmong([brisbane, sydney]).keys()]).toEqual([0, 1]);
});
