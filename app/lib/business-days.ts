import { addDays, type Day } from './dates.ts';

/** Whether a day is a business day: Monday to Friday and no public holiday. */
function isBusinessDay(day: Day, holidays: ReadonlySet<Day>): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday >= 1 && weekday <= 5 && !holidays.has(day);
}

function step(day: Day, count: number, by: 1 | -1, holidays: ReadonlySet<Day>): Day {
  let [at, left] = [day, count];
  while (left > 0) {
    at = addDays(at, by);
    if (isBusinessDay(at, holidays)) left--;
  }
  return at;
}

/** The business day that lies so many business days before a day, which does not count itself. */
export const businessDaysBefore = (day: Day, count: number, holidays: ReadonlySet<Day>): Day =>
  step(day, count, -1, holidays);

/** The business day that lies so many business days after a day, which does not count itself. */
export const businessDaysAfter = (day: Day, count: number, holidays: ReadonlySet<Day>): Day =>
  step(day, count, 1, holidays);

/** The last business day that is not after a day. */
export const businessDayUntil = (day: Day, holidays: ReadonlySet<Day>): Day =>
  businessDaysBefore(addDays(day, 1), 1, holidays);

/** The public holidays of Queensland, by which business days are counted (P39). */
export const queenslandHolidays = (
  holidays: readonly { states: readonly string[]; days: readonly Day[] }[],
): ReadonlySet<Day> => new Set(holidays.filter(({ states }) => states.includes('QLD')).flatMap(({ days }) => days));
