import type { Db } from '#app/db/client.server.ts';
import { onlySessionsOf, type StaffActor } from './actor.ts';

/** Whether a member of staff may see a training session: an instructor sees their own only (P68). */
export async function maySeeSession(
  db: Db,
  actor: StaffActor,
  session: { id: number } | { slug: string },
): Promise<boolean> {
  const only = onlySessionsOf(actor);
  if (only === null) return true;
  const row = await db
    .selectFrom('training_sessions')
    .select('id')
    .where((eb) => ('id' in session ? eb('id', '=', session.id) : eb('slug', '=', session.slug)))
    .where('instructor_slug', 'in', ['', ...only])
    .executeTakeFirst();
  return row !== undefined;
}
