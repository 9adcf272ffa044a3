import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';

/** The weeks of a month (`2025-09`), Monday first; days of other months are null. */
export function weeksOf(month: string): (Day | null)[][] {
  const first: Day = `${month}-01`;
  const weeks: (Day | null)[][] = [];
  for (let monday = mondayOf(first); monday.slice(0, 7) <= month; monday = addDays(monday, 7)) {
    const days = Array.from({ length: 7 }, (_, at) => addDays(monday, at));
    weeks.push(days.map((day) => (day.startsWith(month) ? day : null)));
  }
  return weeks;
}

/** The month `by` months later; earlier when negative. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
