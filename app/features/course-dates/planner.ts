import { holidayDuring } from '#app/features/content/calendar.ts';
import { zoneOfVenue } from '#app/features/content/rules.ts';
import type { Content } from '#app/features/content/schema.ts';
import { businessDayUntil, queenslandHolidays } from '#app/lib/business-days.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, formatDay, mondayOf } from '#app/lib/dates.ts';
import type { CourseDateTimes } from './changed-times.ts';
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
 * The first rows of each lane: as many as leave at most `most` course dates in all, but one at least; and how many
 * course dates of each lane are left out.
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
 * The ids of the course dates that clash in one way; the course dates are in the order of their first day. `dayAfter`
 * has the day after each of their last days.
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
      // Most clashes of a busy instructor are known already: their hours are not compared again.
      if (found.has(one.id) && found.has(other.id)) continue;
      if (isClash[clash](one, other)) found.add(one.id).add(other.id);
    }
  });
  return found;
}

type Holidays = Content['holidays'];
type Holiday = { name: string; day: Day };
type DatedWish = Pick<CourseDateTimes, 'startDate' | 'endDate' | 'venue' | 'enrolmentEnds' | 'decidedBy'>;

/** How often and how many weeks apart: every second week, four times, is `{ times: 4, everyWeeks: 2 }`. */
export type Repeat = { times: number; everyWeeks: number };

/** A date that would meet a public holiday of its place. */
export type Skipped = { startDate: Day; endDate: Day; holiday: Holiday };

/** How many dates in a row may be skipped: no list of holidays has more, so the search ends. */
const mostSkipped = 8;

/**
 * The dates of a series (P77): the first one, and the same days of later weeks. A date that meets a public holiday of
 * its place is left out, and another one follows at the end, so that there are as many as were asked for.
 */
export function datesOfSeries<T extends DatedWish>(
  first: T,
  { times, everyWeeks }: Repeat,
  holidays: Holidays,
): { dates: T[]; skipped: Skipped[] } {
  const dates: T[] = [];
  const skipped: Skipped[] = [];
  let inARow = 0;
  for (let at = 0; dates.length < times && inARow <= mostSkipped; at++) {
    const date = laterBy(first, at * everyWeeks, holidays);
    const holiday = holidayOf(date, holidays);
    inARow = holiday ? inARow + 1 : 0;
    if (holiday) skipped.push({ startDate: date.startDate, endDate: date.endDate, holiday });
    else dates.push(date);
  }
  return { dates, skipped };
}

type Copy<T> = { date: T; weeks: number; passed: Holiday[] };

/**
 * The same date so many weeks later, and another week later as long as it meets a public holiday of its place; `passed`
 * names those holidays (P77).
 */
export function copyOf<T extends DatedWish>(date: T, weeks: number, holidays: Holidays): Copy<T> {
  const passed: Holiday[] = [];
  for (let more = 0; ; more++) {
    const moved = laterBy(date, weeks + more, holidays);
    const holiday = holidayOf(moved, holidays);
    if (!holiday || more === mostSkipped) return { date: moved, weeks: weeks + more, passed };
    passed.push(holiday);
  }
}

/** The copies of several dates, in the order in which they start: one that passes a holiday may start after the next. */
export const copiesOf = <T extends DatedWish>(dates: readonly T[], weeks: number, holidays: Holidays): Copy<T>[] =>
  dates
    .map((date) => copyOf(date, weeks, holidays))
    .toSorted((a, b) => compareText(a.date.startDate, b.date.startDate));

/** The first public holiday of its place among the days of a course date; undefined when there is none. */
export function holidayOf(
  { startDate, endDate, venue }: Pick<DatedWish, 'startDate' | 'endDate' | 'venue'>,
  holidays: Holidays,
): Holiday | undefined {
  // `zoneOfVenue` knows every city there is; without a room a course date is taught from Brisbane (P14).
  const zone = zoneOfVenue(venue) as Parameters<typeof holidayDuring>[0]['zone'] | undefined;
  return zone && holidayDuring({ startDate, endDate, zone }, holidays);
}

/** How far ahead staff make course dates without being asked, in days. */
const mostDaysAhead = 2 * 366;

/** Unusual facts about the days of a course date, as sentences: staff may mean them, or have mistyped a day. */
export function oddDays(date: Pick<DatedWish, 'startDate' | 'endDate' | 'venue'>, holidays: Holidays, today: Day) {
  const holiday = holidayOf(date, holidays);
  const odd: string[] = [];
  if (holiday) odd.push(`${formatDay(holiday.day)} is a public holiday: ${holiday.name}.`);
  if (date.startDate > addDays(today, mostDaysAhead)) odd.push('It begins in more than two years.');
  return odd;
}

/** The last day that the list of public holidays knows; null without any. Later dates cannot be checked. */
export function lastHolidayKnown(holidays: Holidays): Day | null {
  return (
    holidays
      .flatMap(({ days }) => days)
      .toSorted()
      .at(-1) ?? null
  );
}

/**
 * Days of another week: times stay what clocks on the wall show there, whether or not summer time begins between. A
 * decision falls on a business day.
 */
function laterBy<T extends DatedWish>(date: T, weeks: number, holidays: Holidays): T {
  const later = (day: Day) => addDays(day, weeks * 7);
  return {
    ...date,
    startDate: later(date.startDate),
    endDate: later(date.endDate),
    enrolmentEnds: later(date.enrolmentEnds),
    decidedBy: date.decidedBy && businessDayUntil(later(date.decidedBy), queenslandHolidays(holidays)),
  };
}
