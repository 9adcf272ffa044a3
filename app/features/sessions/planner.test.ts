import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#app/lib/dates.ts';
import { type Busy, clashesOf } from './clashes.ts';
import { clashesAmong, neighbours, rowsOf, shownDays } from './planner.ts';

test('a week runs from Monday, a month from its first day to its last', () => {
  // 28 February 2027 is a Sunday.
  const week = shownDays('2027-02-28', 'week');
  expect([week.length, week[0], week.at(-1)]).toEqual([7, '2027-02-22', '2027-02-28']);
  const month = shownDays('2027-02-28', 'month');
  expect([month.length, month[0], month.at(-1)]).toEqual([28, '2027-02-01', '2027-02-28']);
  expect(neighbours('2027-03-31', 'month')).toEqual({ before: '2027-02-01', after: '2027-04-01' });
  expect(neighbours('2027-03-31', 'week')).toEqual({ before: '2027-03-24', after: '2027-04-07' });
});

test('sessions that overlap stand in rows of their own; every row has all the days', () => {
  const days = shownDays('2027-03-01', 'week');
  const session = (name: string, startDate: string, endDate: string) => ({ name, startDate, endDate });
  const rows = rowsOf(
    [
      session('c', '2027-03-04', '2027-03-09'),
      session('a', '2027-02-25', '2027-03-02'),
      session('b', '2027-03-02', '2027-03-03'),
      session('gone', '2027-02-01', '2027-02-05'),
    ],
    days,
  );
  const words = rows.map((row) => row.map(({ days, session }) => `${days} ${session?.name ?? '-'}`).join(', '));
  expect(words).toEqual(['2 a, 1 -, 4 c', '1 -, 2 b, 1 -, 1 -, 1 -, 1 -']);
  expect(rowsOf([], days).map((row) => row.length)).toEqual([7]);
});

test('P77: sessions that clash are found among many, as by comparing each with each', () => {
  const cities = [null, 'Brisbane', 'Perth'];
  const anySession = fc.record({
    day: fc.nat(20),
    days: fc.nat(4),
    teacher: fc.nat(2),
    city: fc.nat(2),
    course: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(anySession, { maxLength: 25 }), (drawn) => {
      const sessions = drawn.map(({ day, days, teacher, city, course }, id): Busy & { id: number } => ({
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
      const wanted = sessions.flatMap((one) => {
        const others = sessions.filter(({ id }) => id !== one.id);
        const kinds = new Set(others.flatMap((other) => clashesOf(one, other)));
        return kinds.size > 0 ? [[one.id, [...kinds].toSorted()] as const] : [];
      });
      const found = [...clashesAmong(sessions)].map(([id, kinds]) => [id, [...kinds].toSorted()] as const);
      expect(found.toSorted(([a], [b]) => a - b)).toEqual(wanted);
    }),
  );
});
