import type { NotNull } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Staff } from './staff.ts';

/** The member of staff with this e-mail address, in any spelling of its letters; null when there is none. */
export async function findStaff(db: Db, email: string): Promise<Staff | null> {
  const row = await db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.toLowerCase())
    .where('role', 'is not', null)
    .$narrowType<{ name: NotNull; email: NotNull }>()
    .executeTakeFirst();
  return row ?? null;
}

/** Everybody who is staff, with their role, by e-mail address. */
export function listStaff(db: Db) {
  return db
    .selectFrom('people')
    .select(['name', 'email', 'role', 'created_at'])
    .where('role', 'is not', null)
    .$narrowType<{ name: NotNull; email: NotNull }>()
    .orderBy('email')
    .execute();
}
