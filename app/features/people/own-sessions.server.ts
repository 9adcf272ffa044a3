import type { Db } from '#app/db/client.server.ts';
import { onlySessionsOf, type StaffActor } from './actor.ts';
import type { Permission } from './permissions.ts';

/** Whether a member of staff may use a permission in a training session: an instructor in their own only (P68). */
export async function maySeeSession(
  db: Db,
  actor: StaffActor,
  session: { id: number } | { slug: string },
  permission: Permission = 'sessions:read',
): Promise<boolean> {
  const only = onlySessionsOf(actor, permission);
  if (only === null) return true;
  const row = await db
    .selectFrom('training_sessions')
    .select('id')
    .where((eb) => ('id' in session ? eb('id', '=', session.id) : eb('slug', '=', session.slug)))
    .where('instructor_slug', 'in', ['', ...only])
    .executeTakeFirst();
  return row !== undefined;
}
