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
