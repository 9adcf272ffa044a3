import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { type Presence, presenceOf } from './presence.ts';

/** How long after its last request a page counts as open, in milliseconds; open pages ask every 20 seconds. */
export const presentMs = 60_000;
/** Within so long, in milliseconds, of the last note there is no other one: a page would wait for a write to the disk. */
const notedMs = presentMs / 3;

/** Notes that a member of staff who may answer has a page open; others do not count as online. */
export async function noteStaffPresent(db: Db, { can, person }: StaffActor, now: Date): Promise<void> {
  if (!can.has('conversations:answer')) return;
  await sql`insert into staff_presence (person_id, seen_at) select ${person.id}::bigint, ${now}::timestamptz
    where not exists (select from staff_presence
      where person_id = ${person.id} and seen_at > ${new Date(now.getTime() - notedMs)} and seen_at <= ${now})
    on conflict (person_id) do update set seen_at = excluded.seen_at`.execute(db);
}

/** Whether someone who is staff had a page open within the last minute. */
async function isStaffOnline(db: Db, now: Date): Promise<boolean> {
  const present = await db
    .selectFrom('staff_presence')
    .innerJoin('staff_roles', 'staff_roles.person_id', 'staff_presence.person_id')
    .select(sql`1`.as('one'))
    .where('seen_at', '>', new Date(now.getTime() - presentMs))
    .limit(1)
    .executeTakeFirst();
  return present !== undefined;
}

/** Reads whether staff are online. */
export async function readPresence(
  db: Db,
  { now, holidays }: { now: Date; holidays: ReadonlySet<Day> },
): Promise<Presence> {
  return presenceOf(await isStaffOnline(db, now), now, holidays);
}
