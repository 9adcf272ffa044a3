import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { holidaysIn, occurrencesOf } from '#app/features/catalogue/live-hours.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { HeldHour } from './held-hours.ts';

/** For queries of `live_hours`: the days on which staff cancelled the hour, with their reasons. */
export const daysOff = sql<Record<Day, string>>`days_off`.as('days_off');

/** The live hours that are held from one day to another, both included, on the clock of their own zone. */
export async function readHeldHours(db: Db, { from, to }: { from: Day; to: Day }): Promise<HeldHour[]> {
  const rows = await db
    .selectFrom('live_hours')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['live_hours.id', 'title', 'live_hours.instructor_slug as instructor', 'starts_at', 'minutes', 'zone'])
    .select(['first_on', 'last_on', 'ended_from', daysOff])
    .where('first_on', '<=', to)
    .where('last_on', '>=', from)
    .orderBy('live_hours.id')
    .execute();
  if (rows.length === 0) return [];
  const { holidays } = await readDocuments(db, ['holidays']);
  return rows.flatMap(({ id, title, instructor, starts_at, minutes, zone, days_off, ...row }) => {
    const days = { firstOn: row.first_on, lastOn: row.last_on, endedFrom: row.ended_from };
    const hour = { id, instructor, startsAt: starts_at.slice(0, 5), minutes, zone, ...days };
    const free = { holidays: holidaysIn(zone, holidays), daysOff: new Map(Object.entries(days_off)) };
    const held = occurrencesOf(hour, free, { from, to }).filter(({ off }) => !off);
    return held.map(({ day, starts, ends }) => ({ id, title, instructor, day, starts, ends }));
  });
}
