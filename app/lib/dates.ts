/** Calendar days as ISO text (`2025-09-15`), which sort and compare as text. No time, no zone. */
export type Day = string;

const msPerDay = 86_400_000;

const toUtc = (day: Day) => Date.parse(`${day}T00:00:00Z`);

export function addDays(day: Day, days: number): Day {
  return new Date(toUtc(day) + days * msPerDay).toISOString().slice(0, 10);
}

/** Whole days from the first to the second; negative when the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((toUtc(to) - toUtc(from)) / msPerDay);
}

/** The instant a number of months before another. Months are those of UTC. */
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

const inWords = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-AU', { ...options, timeZone: 'UTC' });
const full = inWords({ day: 'numeric', month: 'long', year: 'numeric' });
const dayAndMonth = inWords({ day: 'numeric', month: 'long' });
const monthAndYear = inWords({ month: 'long', year: 'numeric' });
const weekdayAndDay = inWords({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

const utc = (day: Day) => new Date(`${day}T00:00:00Z`);

/** `15 to 19 September 2025`, `29 September to 3 October 2025`. */
export function formatDays(start: Day, end: Day): string {
  if (start === end) return full.format(utc(start));
  if (start.slice(0, 7) === end.slice(0, 7)) return `${Number(start.slice(8))} to ${full.format(utc(end))}`;
  if (start.slice(0, 4) === end.slice(0, 4)) return `${dayAndMonth.format(utc(start))} to ${full.format(utc(end))}`;
  return `${full.format(utc(start))} to ${full.format(utc(end))}`;
}

/** `3 October`. */
export function formatDayAndMonth(day: Day): string {
  return dayAndMonth.format(utc(day));
}

/** `Monday 15 September 2025`. */
export function formatDay(day: Day): string {
  return weekdayAndDay.format(utc(day));
}

/** `September 2025` from `2025-09`. */
export function formatMonth(month: string): string {
  return monthAndYear.format(utc(`${month}-01`));
}

const momentInBrisbane = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'Australia/Brisbane',
});

/** `8 Sept 2025, 9:00 am`: an instant in Brisbane, for staff. */
export function formatMoment(instant: Date): string {
  return momentInBrisbane.format(instant);
}
