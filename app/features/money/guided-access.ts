import { addDays, type Day, yearAfter } from '#app/lib/dates.ts';

/**
 * The last day of access to guided study: twelve months from the Monday on which it starts (P38), so the day before its
 * anniversary. From Monday 13 October 2025 it is 12 October 2026.
 */
export function accessEndsOn(from: Day): Day {
  return addDays(yearAfter(from), -1);
}

/** Whether access to guided study is over on a day. */
export const isAccessOver = (from: Day, today: Day): boolean => today > accessEndsOn(from);
