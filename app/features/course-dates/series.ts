import { holidayDuring } from '#app/features/content/calendar.ts';
import { zoneOfVenue } from '#app/features/content/rules.ts';
import type { Content } from '#app/features/content/schema.ts';
import { businessDayUntil, queenslandHolidays } from '#app/lib/business-days.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import type { CourseDateTimes } from './changed-times.ts';

type Holidays = Content['holidays'];
type Holiday = { name: string; day: Day };
type Dated = Pick<CourseDateTimes, 'startDate' | 'endDate' | 'venue' | 'enrolmentEnds' | 'decidedBy'>;

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
export function datesOfSeries<T extends Dated>(
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
export function copyOf<T extends Dated>(date: T, weeks: number, holidays: Holidays): Copy<T> {
  const passed: Holiday[] = [];
  for (let more = 0; ; more++) {
    const moved = laterBy(date, weeks + more, holidays);
    const holiday = holidayOf(moved, holidays);
    if (!holiday || more === mostSkipped) return { date: moved, weeks: weeks + more, passed };
    passed.push(holiday);
  }
}

/** The copies of several dates, in the order in which they start: one that passes a holiday may start after the next. */
export const copiesOf = <T extends Dated>(dates: readonly T[], weeks: number, holidays: Holidays): Copy<T>[] =>
  dates
    .map((date) => copyOf(date, weeks, holidays))
    .toSorted((a, b) => compareText(a.date.startDate, b.date.startDate));

/** The first public holiday of its place among the days of a course date; undefined when there is none. */
export function holidayOf(
  { startDate, endDate, venue }: Pick<Dated, 'startDate' | 'endDate' | 'venue'>,
  holidays: Holidays,
): Holiday | undefined {
  // `zoneOfVenue` knows every city there is; without a room a course date is taught from Brisbane (P14).
  const zone = zoneOfVenue(venue) as Parameters<typeof holidayDuring>[0]['zone'] | undefined;
  return zone && holidayDuring({ startDate, endDate, zone }, holidays);
}

/** How far ahead staff make course dates without being asked, in days. */
const mostDaysAhead = 2 * 366;

/** What is unusual about the days of a course date, as sentences: staff may mean it, or have mistyped a day. */
export function oddDays(date: Pick<Dated, 'startDate' | 'endDate' | 'venue'>, holidays: Holidays, today: Day) {
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
function laterBy<T extends Dated>(date: T, weeks: number, holidays: Holidays): T {
  const later = (day: Day) => addDays(day, weeks * 7);
  return {
    ...date,
    startDate: later(date.startDate),
    endDate: later(date.endDate),
    enrolmentEnds: later(date.enrolmentEnds),
    decidedBy: date.decidedBy && businessDayUntil(later(date.decidedBy), queenslandHolidays(holidays)),
  };
}
