import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { type JoiningDetails, joiningDetailsNeeded } from './joining-details.ts';

/** The columns of the joining details; details that such a course date does not need are removed. */
export function joiningDetailsColumns(joiningDetails: JoiningDetails, delivery: Delivery) {
  const needed = joiningDetailsNeeded(delivery);
  const only = (part: keyof JoiningDetails) => (needed.includes(part) ? joiningDetails[part] : null);
  return { room: only('room'), street: only('street'), joining_link: only('joiningLink') };
}

/** For queries: whether the joining details that a course date needs are set. `table` may be an alias. */
export function joiningDetailsKnown(table: 'course_dates' | 'course_date') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(
    (${column('delivery')} = 'in-person' or ${column('joining_link')} is not null)
    and (${column('delivery')} = 'online' or (${column('room')} is not null and ${column('street')} is not null)))`;
}

/**
 * Sets the joining details of a locked course date that is not over. It changes the course date only: the caller tells
 * its people in the same transaction.
 */
export async function setJoiningDetails(
  trx: Trx,
  courseDate: LockedCourseDate,
  joiningDetails: JoiningDetails,
  today: Day,
): Promise<{ ok: true } | { ok: false; reason: 'cancelled' | 'over' | 'unchanged' }> {
  if (courseDate.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  if (courseDate.endsOn < today) return { ok: false, reason: 'over' };
  const before = await trx
    .selectFrom('course_dates')
    .select(['room', 'street', 'joining_link', 'delivery'])
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const after = joiningDetailsColumns(joiningDetails, before.delivery);
  if (before.room === after.room && before.street === after.street && before.joining_link === after.joining_link) {
    return { ok: false, reason: 'unchanged' };
  }
  await trx.updateTable('course_dates').set(after).where('id', '=', courseDate.id).execute();
  return { ok: true };
}
