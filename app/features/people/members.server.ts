import type { NotNull } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from './actor.ts';
import type { Role } from './permissions.ts';

/** A member of staff with their roles, in the order in which they were granted. */
export type Member = {
  id: number;
  name: string;
  email: string;
  roles: { role: Role; teachesAs: string | null; since: Date; by: string | null }[];
};

/** Everybody who has a role, by name; with an id only that person. */
export async function readMembers(db: Db, actor: StaffActor, only?: number): Promise<Member[]> {
  requirePermission(actor, 'staff:read');
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'staff_roles.person_id')
    .leftJoin('people as granter', 'granter.id', 'granted_by')
    .leftJoin('instructors', 'instructors.slug', 'instructor_slug')
    .select(['people.id', 'people.name', 'people.email', 'role', 'granted_at', 'granter.name as by'])
    .select('instructors.name as teachesAs')
    .$narrowType<{ name: NotNull; email: NotNull }>()
    .$if(only !== undefined, (query) => query.where('people.id', '=', only ?? 0))
    .orderBy('people.name')
    .orderBy('people.id')
    .orderBy('granted_at')
    .orderBy('role')
    .execute();
  const groups = Map.groupBy(rows, ({ id }) => id);
  return [...groups.values()].flatMap((own): Member[] => {
    const [first] = own;
    if (!first) return [];
    const { id, name, email } = first;
    const roles = own.map(({ role, teachesAs, granted_at, by }) => ({
      role,
      teachesAs,
      since: granted_at,
      by,
    }));
    return [{ id, name, email, roles }];
  });
}

/** Whether a person has a role now. */
export async function hasRole(db: Db, personId: number, role: Role): Promise<boolean> {
  const row = await db
    .selectFrom('staff_roles')
    .select('role')
    .where('person_id', '=', personId)
    .where('role', '=', role)
    .executeTakeFirst();
  return row !== undefined;
}

/** The instructors that a role can be for, by name. */
export async function readInstructors(db: Db, actor: StaffActor) {
  requirePermission(actor, 'staff:read');
  const all = db.selectFrom('instructors').select(['slug', 'name']).where('retired_at', 'is', null);
  return all.orderBy('name').execute();
}
