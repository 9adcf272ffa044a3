import { createHash } from 'node:crypto';
import type { PageCatalogue } from '#app/features/catalogue/catalogue-page.ts';
import { coursesOnDates, datesByPlace } from '#app/features/course-dates/rules.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Snapshot } from './snapshot.ts';

/** The courses on dates, and how many dates by place, by snapshot, which is replaced as a whole, for the last day that was asked for. */
const known = new WeakMap<Snapshot, { today: Day; onDates: string[]; datesIn: Record<string, number>; key: string }>();

function onDatesOf(snapshot: Snapshot, today: Day) {
  const before = known.get(snapshot);
  if (before?.today === today) return before;
  const dates = {
    onDates: coursesOnDates(snapshot.courseDates, today),
    datesIn: datesByPlace(snapshot.courseDates, today),
  };
  const key = createHash('sha256').update(JSON.stringify(dates)).digest('base64url').slice(0, 12);
  const found = { today, ...dates, key };
  known.set(snapshot, found);
  return found;
}

/** A short text that changes with the dates to come on a day, as lists show them. */
export const onDatesKey = (snapshot: Snapshot, today: Day): string => onDatesOf(snapshot, today).key;

/** The catalogue that lists are made from, with the dates to come on a day. */
export function listable(snapshot: Snapshot, today: Day): Snapshot & PageCatalogue {
  const { onDates, datesIn } = onDatesOf(snapshot, today);
  return { ...snapshot, onDates, datesIn };
}
