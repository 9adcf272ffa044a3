/** A calendar day, `2027-03-01`. */
export type Day = string;

const dayMs = 86_400_000;
const startOf = (day: Day) => Date.parse(`${day}T00:00:00Z`);

/** Days are counted here and not by the program, so that a model of its rules shares nothing with it. */
export const addDays = (day: Day, days: number): Day =>
  new Date(startOf(day) + days * dayMs).toISOString().slice(0, 10);
export const daysBetween = (from: Day, to: Day): number => Math.round((startOf(to) - startOf(from)) / dayMs);

/** Public holidays of Queensland on weekdays, from the state's own list. */
const holidays: readonly Day[] = [
  ...['2025-10-06', '2025-12-25', '2025-12-26'],
  ...['2026-01-01', '2026-01-26', '2026-04-03', '2026-04-06', '2026-05-04', '2026-10-05', '2026-12-25', '2026-12-28'],
  ...['2027-01-01', '2027-01-26', '2027-03-26', '2027-03-29', '2027-04-26', '2027-05-03', '2027-10-04'],
  ...['2027-12-27', '2027-12-28'],
];
const isBusinessDay = (day: Day) => ![0, 6].includes(new Date(startOf(day)).getUTCDay()) && !holidays.includes(day);

/** The business day so many business days after a day; before it, when the number is below zero. */
export function businessDays(day: Day, count: number): Day {
  const by = Math.sign(count);
  let at = day;
  for (let left = Math.abs(count); left > 0; ) {
    at = addDays(at, by);
    if (isBusinessDay(at)) left -= 1;
  }
  return at;
}

/** The earliest and the latest of some days. */
export const earliest = (days: readonly Day[]): Day | undefined => days.toSorted()[0];
export const latest = (days: readonly Day[]): Day | undefined => days.toSorted().at(-1);
