/** Calendar days as ISO text (`2025-09-15`), which sort and compare as text. No time, no zone. */
export type Day = string;

const msPerDay = 86_400_000;

const toUtc = (day: Day) => Date.parse(`${day}T00:00:00Z`);

/** The day so many days later; earlier for a negative number. */
export function addDays(day: Day, days: number): Day {
  return new Date(toUtc(day) + days * msPerDay).toISOString().slice(0, 10);
}

/** The Monday of the week in which a day lies: weeks begin on Mondays. */
export const mondayOf = (day: Day): Day => addDays(day, -((new Date(toUtc(day)).getUTCDay() + 6) % 7));

/** Whole days from the first to the second; negative when the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((toUtc(to) - toUtc(from)) / msPerDay);
}

/** The same day a year later; of a 29 February it is 1 March. */
export function yearAfter(day: Day): Day {
  const later = new Date(toUtc(day));
  later.setUTCFullYear(later.getUTCFullYear() + 1);
  return later.toISOString().slice(0, 10);
}

/** The instant a number of months before another. Months are counted in UTC. */
export function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}

const parts = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of an instant in an IANA zone. */
export function dayIn(zone: string, instant: Date): Day {
  let format = parts.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    parts.set(zone, format);
  }
  return format.format(instant);
}

// Names of our own: what browsers put between a weekday and a day differs by their age, and a text that the browser
// writes otherwise than the server makes React throw the server's page away.
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `September`. */
export const monthOf = (day: Day): string => months[Number(day.slice(5, 7)) - 1] ?? '';
/** `Monday`. */
export const weekdayOf = (day: Day): string => weekdays[new Date(toUtc(day)).getUTCDay()] ?? '';

/** `Mon`. */
export function shortWeekday(day: Day): string {
  return weekdayOf(day).slice(0, 3);
}

/** `Sept` from `2025-09-15`: months of four letters are not shortened. */
export function shortMonth(day: Day): string {
  const month = monthOf(day);
  if (month === 'September') return 'Sept';
  return month.length <= 4 ? month : month.slice(0, 3);
}

const full = (day: Day) => `${formatDayAndMonth(day)} ${day.slice(0, 4)}`;

/** `15 to 19 September 2025`, `29 September to 3 October 2025`. */
export function formatDays(start: Day, end: Day): string {
  if (start === end) return full(start);
  if (start.slice(0, 7) === end.slice(0, 7)) return `${Number(start.slice(8))} to ${full(end)}`;
  if (start.slice(0, 4) === end.slice(0, 4)) return `${formatDayAndMonth(start)} to ${full(end)}`;
  return `${full(start)} to ${full(end)}`;
}

/** `3 October`. */
export function formatDayAndMonth(day: Day): string {
  return `${Number(day.slice(8))} ${monthOf(day)}`;
}

/** `Monday 15 September 2025`. */
export function formatDay(day: Day): string {
  return `${weekdayOf(day)} ${full(day)}`;
}

/** `September 2025` from `2025-09`. */
export function formatMonth(month: string): string {
  return `${monthOf(month)} ${month.slice(0, 4)}`;
}
