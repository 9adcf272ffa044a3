import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { LockedSession } from '#app/features/seats/commands.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { type WayIn, wayInNeeded } from './way-in.ts';

/** The columns of a way in; parts that such a session does not need are not kept. */
export function wayInColumns(wayIn: WayIn, delivery: Delivery) {
  const needed = wayInNeeded(delivery);
  const only = (part: keyof WayIn) => (needed.includes(part) ? wayIn[part] : null);
  return { room: only('room'), street: only('street'), joining_link: only('joiningLink') };
}

/** For queries: whether the way into a session is set, as far as how it is taught needs it. `table` may be an alias. */
export function wayInKnown(table: 'training_sessions' | 'session') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(
    (${column('delivery')} = 'in-person' or ${column('joining_link')} is not null)
    and (${column('delivery')} = 'online' or (${column('room')} is not null and ${column('street')} is not null)))`;
}

/**
 * Sets the way into a locked session that is not over. Only the session: the caller tells those who are in it, in the same
 * transaction.
 */
export async function setWayIn(
  trx: Trx,
  session: LockedSession,
  wayIn: WayIn,
  today: Day,
): Promise<{ ok: true } | { ok: false; reason: 'cancelled' | 'over' | 'unchanged' }> {
  if (session.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  if (session.endsOn < today) return { ok: false, reason: 'over' };
  const before = await trx
    .selectFrom('training_sessions')
    .select(['room', 'street', 'joining_link', 'delivery'])
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const after = wayInColumns(wayIn, before.delivery);
  if (before.room === after.room && before.street === after.street && before.joining_link === after.joining_link) {
    return { ok: false, reason: 'unchanged' };
  }
  await trx.updateTable('training_sessions').set(after).where('id', '=', session.id).execute();
  return { ok: true };
}
