import type { Day } from '#app/lib/dates.ts';
import { dayOf } from '#app/lib/day-text.ts';

/** The end of a page of rows: the day and id of its last row. */
export type After = { day: Day; id: number };

/** The end of the page before, from the query of an address; null for the first page. */
export function afterIn(query: URLSearchParams): After | null {
  const [, text = '', id] = /^(20\d\d-\d\d-\d\d)_(-?\d{1,15})$/.exec(query.get('after') ?? '') ?? [];
  const day = dayOf(text);
  return day && id ? { day, id: Number(id) } : null;
}

/** `after=2025-06-30_17`. */
export const afterQuery = ({ day, id }: After): string => `after=${day}_${id}`;
