import { beginsAll } from '#app/lib/beginnings.ts';
import { months } from '#app/lib/dates.ts';

/** Which days a word may mean: by their weekday from 1 for Monday, month from 1, day of the month, and year. */
export type DaysMeant = { weekdays: number[]; months: number[]; days: number[]; years: number[] };

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const days = Array.from({ length: 31 }, (_, at) => String(at + 1));
/** Of course dates. */
const years = Array.from({ length: 100 }, (_, at) => String(2000 + at));

/** The days that have a word, in lower case, at the beginning of one of `Monday 3 November 2025`. */
export const daysMeant = (word: string): DaysMeant => ({
  weekdays: beginning(weekdays, word).map((at) => at + 1),
  months: beginning(months, word).map((at) => at + 1),
  days: beginning(days, word).map((at) => at + 1),
  years: beginning(years, word).map((at) => at + 2000),
});

const beginning = (names: readonly string[], word: string): number[] =>
  names.flatMap((name, at) => (beginsAll(name, [word]) ? [at] : []));
