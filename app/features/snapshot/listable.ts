import type { PageCatalogue } from '#app/features/catalogue/catalogue-page.ts';
import { coursesOnDates } from '#app/features/sessions/rules.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Snapshot } from './snapshot.ts';

/** The catalogue that lists are made from, with which courses have a date to come on a day. */
export function listable(snapshot: Snapshot, today: Day): PageCatalogue {
  return { ...snapshot, onDates: coursesOnDates(snapshot.sessions, today) };
}
