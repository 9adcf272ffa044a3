import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { type Actor, onlyCourseDatesOf } from '#app/features/people/actor.ts';

/**
 * The places whose certificates the person may issue: an instructor's are those of their own course dates, and of guided
 * study in their own courses (P67, P68).
 */
export function placesInReach(db: Db, actor: Actor) {
  const only = actor.kind === 'staff' ? onlyCourseDatesOf(actor, 'certificates:issue') : null;
  return db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .leftJoin('course_dates as course_date', 'course_date.id', 'places.course_date_id')
    .$if(only !== null, (query) =>
      query.where(sql<string>`coalesce(course_date.instructor_slug, courses.instructor_slug)`, 'in', [
        '',
        ...(only ?? []),
      ]),
    );
}

/** Whether the person may issue the certificate of a place. */
export const isInInstructorScope = (db: Db, actor: Actor, placeId: number): Promise<boolean> =>
  areInReach(db, actor, [placeId]);

/** Whether the person may issue the certificates of all these places. */
export async function areInReach(db: Db, actor: Actor, placeIds: readonly number[]): Promise<boolean> {
  const ids = [...new Set(placeIds)];
  if (ids.length === 0) return true;
  const rows = await placesInReach(db, actor).select('places.id').where('places.id', 'in', ids).execute();
  return rows.length === ids.length;
}
