import { createHash } from 'node:crypto';
import type { PageCatalogue } from '#app/features/catalogue/catalogue-page.ts';
import { datesByPlace, nextDates } from '#app/features/course-dates/rules.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Snapshot } from './snapshot.ts';

/** The next date by course, and how many dates by place, by snapshot, which is replaced as a whole, for the last day that was asked for. */
const known = new WeakMap<
  Snapshot,
  { today: Day; nextDates: Record<string, string>; datesIn: Record<string, number>; key: string }
>();

function datesOf(snapshot: Snapshot, today: Day) {
  const before = known.get(snapshot);
  if (before?.today === today) return before;
  const dates = {
    nextDates: nextDates(snapshot.courseDates, today),
    datesIn: datesByPlace(snapshot.courseDates, today),
  };
  const key = createHash('sha256').update(JSON.stringify(dates)).digest('base64url').slice(0, 12);
  const found = { today, ...dates, key };
  known.set(snapshot, found);
  return found;
}

/** A short text that changes with the dates to come on a day, as lists show them. */
export const datesKey = (snapshot: Snapshot, today: Day): string => datesOf(snapshot, today).key;

/** The catalogue that lists are made from, with the dates to come on a day. */
export function listable(snapshot: Snapshot, today: Day): Snapshot & PageCatalogue {
  const { nextDates, datesIn } = datesOf(snapshot, today);
  return { ...snapshot, nextDates, datesIn };
}
