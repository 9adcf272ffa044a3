import { type RawBuilder, sql } from 'kysely';
import type { Day } from '#app/lib/dates.ts';

/** The day on the clock of a course date's zone. */
export const dayThere = (now: Date): RawBuilder<Day> => sql<Day>`(${now}::timestamptz at time zone zone)::date`;

/**
 * Whether a course date has a day from `from` to `to`, both included. An index finds these among all the course dates
 * there ever were; compared by first and last day, all that are still to come are read as well (P87).
 */
export const hasDayIn = (from: Day, to: Day = from): RawBuilder<boolean> =>
  sql<boolean>`daterange(starts_on, ends_on, '[]') && daterange(${from}::date, greatest(${from}::date, ${to}::date), '[]')`;
