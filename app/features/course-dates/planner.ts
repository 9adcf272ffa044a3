import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';
import { type Busy, type Clash, daysFrom, isClash } from './clashes.ts';
import { type HeldHour, hoursInTheWay } from './held-hours.ts';
import { monthAfter } from './month-grid.ts';

/** The days of a calendar for staff: the week from Monday, or the month, in which a day lies. */
export function shownDays(on: Day, view: 'week' | 'month'): Day[] {
  if (view === 'week') {
    return daysFrom(mondayOf(on), addDays(mondayOf(on), 6));
  }
  const month = on.slice(0, 7);
  return daysFrom(`${month}-01`, addDays(`${monthAfter(month, 1)}-01`, -1));
}

/** The same view one step earlier and later, each as a day in it. */
export function neighbours(on: Day, view: 'week' | 'month'): { before: Day; after: Day } {
  if (view === 'week') return { before: addDays(on, -7), after: addDays(on, 7) };
  const month = on.slice(0, 7);
  return { before: `${monthAfter(month, -1)}-01`, after: `${monthAfter(month, 1)}-01` };
}

type Dated = { startDate: Day; endDate: Day };

/** A number of consecutive days: of a course date, or free ones. */
export type Cell<CourseDate> = { day: Day; days: number; courseDate: CourseDate | null };

/**
 * Lays course dates out on days, in as few rows as keep them apart: each row has a cell for each course date and for each free
 * day, in the order of days.
 */
export function rowsOf<CourseDate extends Dated>(
  courseDates: readonly CourseDate[],
  days: readonly Day[],
): Cell<CourseDate>[][] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rows: CourseDate[][] = [];
  for (const courseDate of courseDates.toSorted((a, b) => compareText(a.startDate, b.startDate))) {
    if (courseDate.endDate < first || courseDate.startDate > last) continue;
    // Each row is in the order of days, so its last course date ends last.
    const row = rows.find((others) => (others.at(-1)?.endDate ?? '') < courseDate.startDate);
    if (row) row.push(courseDate);
    else rows.push([courseDate]);
  }
  return (rows.length > 0 ? rows : [[]]).map((row) => cellsOf(row, days));
}

/**
 * The first rows of each lane, as many of each as leave at most `most` course dates in all, but one at least; and how many
 * course dates of each lane stand in no row that is left.
 */
export function firstRows<Lane extends { rows: Cell<unknown>[][] }>(
  lanes: readonly Lane[],
  most: number,
): (Lane & { more: number })[] {
  const counts = lanes.map(({ rows }) => rows.map((row) => row.filter(({ courseDate }) => courseDate !== null).length));
  const within = (rows: number) => sum(counts.flatMap((its) => its.slice(0, rows)));
  const longest = Math.max(1, ...counts.map((its) => its.length));
  let rows = 1;
  while (rows < longest && within(rows + 1) <= most) rows++;
  return lanes.map((lane, at) => ({
    ...lane,
    rows: lane.rows.slice(0, rows),
    more: sum((counts[at] ?? []).slice(rows)),
  }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function cellsOf<CourseDate extends Dated>(row: readonly CourseDate[], days: readonly Day[]): Cell<CourseDate>[] {
  const cells: Cell<CourseDate>[] = [];
  for (const day of days) {
    const courseDate = row.find(({ startDate, endDate }) => startDate <= day && day <= endDate) ?? null;
    const before = cells.at(-1);
    if (courseDate && before?.courseDate === courseDate) before.days++;
    else cells.push({ day, days: 1, courseDate });
  }
  return cells;
}

/** The ids of course dates that clash with another or with a live hour of their instructor, each with how (P77). */
export function clashesAmong<CourseDate extends Busy & { id: number }>(
  courseDates: readonly CourseDate[],
  hours: readonly HeldHour[] = [],
): Map<number, Set<Clash>> {
  const found = new Map<number, Set<Clash>>();
  const hoursBy = Map.groupBy(hours, ({ instructor }) => instructor);
  for (const courseDate of courseDates) {
    const its = hoursBy.get(courseDate.instructor);
    if (its && hoursInTheWay(courseDate, its).length > 0) found.set(courseDate.id, new Set(['instructor']));
  }
  const byStart = courseDates.toSorted((a, b) => compareText(a.startDate, b.startDate));
  // Thousands of course dates end on some thirty days.
  const dayAfter = new Map(
    [...new Set(courseDates.map(({ endDate }) => endDate))].map((day) => [day, addDays(day, 1)]),
  );
  // Two that have neither in common are never compared.
  const common: [Clash, (courseDate: CourseDate) => string | null][] = [
    ['instructor', ({ instructor }) => instructor],
    ['room', ({ venue, room }) => room && `${venue} ${room.trim().toLowerCase()}`],
    ['course', ({ courseId, venue }) => `${courseId} ${venue}`],
  ];
  for (const [clash, keyOf] of common) {
    for (const [key, members] of Map.groupBy(byStart, keyOf)) {
      if (key === null) continue;
      for (const id of clashingNear(members, clash, dayAfter)) found.set(id, (found.get(id) ?? new Set()).add(clash));
    }
  }
  return found;
}

/**
 * The ids of those that clash in one way, of course dates that are in the order of their first day. `dayAfter` has the day
 * after each of their last days.
 */
function clashingNear<CourseDate extends Busy & { id: number }>(
  byStart: readonly CourseDate[],
  clash: Clash,
  dayAfter: ReadonlyMap<Day, Day>,
): Set<number> {
  const found = new Set<number>();
  byStart.forEach((one, at) => {
    const dayAfterEnd = dayAfter.get(one.endDate);
    if (dayAfterEnd === undefined) throw new Error(`the day after ${one.endDate} is not given`);
    for (let next = at + 1; next < byStart.length; next++) {
      const other = byStart[next];
      // Nor does any that starts later.
      if (!other || other.startDate > dayAfterEnd) break;
      // Of a busy instructor most are known already: no hours are compared for them again.
      if (found.has(one.id) && found.has(other.id)) continue;
      if (isClash[clash](one, other)) found.add(one.id).add(other.id);
    }
  });
  return found;
}
