import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Delivery } from '#app/lib/delivery.ts';

/** The row of a training session, without its seats: they have a version of their own. */
export type SessionRow = {
  id: number;
  slug: string;
  courseId: number;
  startDate: string;
  endDate: string;
  startTime: string;
  endTime: string;
  /** Of each day, not taught. */
  breakMinutes: number;
  zone: string;
  delivery: Delivery;
  venue: string | null;
  instructorSlug: string;
  aliases: string[];
};

/** Every training session that is not retired, ordered by start. */
export async function readSessionRows(trx: Db): Promise<SessionRow[]> {
  const rows = await trx
    .selectFrom('training_sessions')
    .select(['id', 'slug', 'zone', 'delivery', 'venue', 'starts_at', 'ends_at'])
    .select([
      'course_id as courseId',
      'starts_on as startDate',
      'ends_on as endDate',
      'instructor_slug as instructorSlug',
      'break_minutes as breakMinutes',
      sql<string[]>`array(select alias from training_session_aliases where training_session_id = id)`.as('aliases'),
    ])
    .where('retired_at', 'is', null)
    .orderBy('starts_on')
    .orderBy('slug')
    .execute();
  return rows.map(({ starts_at, ends_at, delivery, ...row }) => ({
    ...row,
    startTime: starts_at.slice(0, 5),
    endTime: ends_at.slice(0, 5),
    // The column's check constraint allows no other.
    delivery: delivery as Delivery,
  }));
}

/** Seats left, by the id of the training session: its capacity less the sum of its movements (P27). */
export async function readSeats(trx: Db): Promise<Map<number, number>> {
  const rows = await trx
    .selectFrom('training_sessions')
    .select(['id', seatsLeft])
    .where('retired_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, left }) => [id, left]));
}

/** For queries of `training_sessions`. */
export const seatsLeft = sql<number>`(capacity - (select coalesce(sum(seats), 0) from seat_movements
  where training_session_id = training_sessions.id))::integer`.as('left');
