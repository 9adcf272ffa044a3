import { createHash } from 'node:crypto';
import type { PageCatalogue } from '#app/features/catalogue/catalogue-page.ts';
import { coursesOnDates } from '#app/features/sessions/rules.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Snapshot } from './snapshot.ts';

/** The courses on dates by snapshot, which is replaced as a whole, for the last day that was asked for. */
const known = new WeakMap<Snapshot, { today: Day; slugs: readonly string[]; key: string }>();

function onDatesOf(snapshot: Snapshot, today: Day) {
  const before = known.get(snapshot);
  if (before?.today === today) return before;
  const slugs = coursesOnDates(snapshot.sessions, today);
  const key = createHash('sha256').update(slugs.join()).digest('base64url').slice(0, 12);
  const found = { today, slugs, key };
  known.set(snapshot, found);
  return found;
}

/** A short text that changes with the courses that have a date to come on a day. */
export const onDatesKey = (snapshot: Snapshot, today: Day): string => onDatesOf(snapshot, today).key;

/** The catalogue that lists are made from, with which courses have a date to come on a day. */
export function listable(snapshot: Snapshot, today: Day): PageCatalogue {
  return { ...snapshot, onDates: onDatesOf(snapshot, today).slugs };
}
