import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Actor } from '#app/features/people/actor.ts';

/**
 * The places whose certificates the person may issue: an instructor's are those of their own sessions, and of guided
 * study in their own courses (P67, P68).
 */
export function placesInReach(db: Db, actor: Actor) {
  const everywhere = actor.kind !== 'staff' || actor.can.has('sessions:read-all');
  return db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .leftJoin('training_sessions as session', 'session.id', 'places.training_session_id')
    .$if(!everywhere, (query) =>
      query.where(sql<string>`coalesce(session.instructor_slug, courses.instructor_slug)`, 'in', [
        '',
        ...(actor.kind === 'staff' ? actor.teachesAs : []),
      ]),
    );
}

/** Whether a place is one of them. */
export async function isInReach(db: Db, actor: Actor, placeId: number): Promise<boolean> {
  const row = await placesInReach(db, actor).select('places.id').where('places.id', '=', placeId).executeTakeFirst();
  return row !== undefined;
}
