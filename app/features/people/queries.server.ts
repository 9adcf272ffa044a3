import { type NotNull, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { onlyCourseDatesOf, type StaffActor } from './actor.ts';
import { type Permission, permissionsOf } from './permissions.ts';

/** Someone who may see /staff. */
export type Staff = { id: number; name: string; email: string };

/** The member of staff whose main address this is, in any spelling of its letters; null when there is none. */
export async function findStaff(db: Db, email: string): Promise<Staff | null> {
  return (await staffWithRole(db).where('email', '=', email.toLowerCase()).executeTakeFirst()) ?? null;
}

/** The member of staff of whom this is any address. Only the main one signs them in. */
export async function findStaffByAnyAddress(db: Db, email: string): Promise<Staff | null> {
  const its = db.selectFrom('person_emails').select('person_id').where('email', '=', email.toLowerCase());
  return (await staffWithRole(db).where('id', 'in', its).executeTakeFirst()) ?? null;
}

const staffWithRole = (db: Db) =>
  db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('id', 'in', db.selectFrom('staff_roles').select('person_id'))
    .$narrowType<{ name: NotNull; email: NotNull }>();

/** Reads a person as an actor on pages for staff; null when they have no role. */
export async function readActor(db: Db, personId: number): Promise<StaffActor | null> {
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['name', 'role', 'instructor_slug'])
    // Staff always have a name.
    .$narrowType<{ name: NotNull }>()
    .where('person_id', '=', personId)
    .execute();
  const [first] = rows;
  if (!first) return null;
  const roles = rows.map(({ role }) => role);
  return {
    kind: 'staff',
    person: { id: personId, name: first.name },
    roles,
    can: permissionsOf(roles),
    teachesAs: rows.flatMap(({ instructor_slug }) => instructor_slug ?? []),
  };
}

/** The names of those who can grant a role. */
export async function ownersNames(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select('name')
    .$narrowType<{ name: NotNull }>()
    .where('role', '=', 'owner')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The addresses of the owners. */
export async function ownersAddresses(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('people')
    .select('email')
    .where('id', 'in', db.selectFrom('staff_roles').select('person_id').where('role', '=', 'owner'))
    .orderBy('id')
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

/** All staff with their roles, by email address. */
export function listStaff(db: Db) {
  return db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['name', 'email'])
    .select(sql<string>`string_agg(role, ', ' order by granted_at, role)`.as('roles'))
    .select((eb) => eb.fn.min('granted_at').as('since'))
    .groupBy('people.id')
    .$narrowType<{ name: NotNull; email: NotNull }>()
    .orderBy('email')
    .execute();
}

/** Whether a person has a permission now, for acts that they asked for earlier and a job does (P68). */
export const mayNow =
  (permission: Permission) =>
  (db: Db, personId: number): Promise<boolean> =>
    hasPermissionNow(db, personId, permission);

/** Whether a person has a permission now. */
export async function hasPermissionNow(db: Db, personId: number, permission: Permission): Promise<boolean> {
  return (await readActor(db, personId))?.can.has(permission) ?? false;
}

/** The first address of a person; null for one without or an unknown one. */
export async function readEmail(db: Db, personId: number): Promise<string | null> {
  const row = await db.selectFrom('people').select('email').where('id', '=', personId).executeTakeFirst();
  return row?.email ?? null;
}

/**
 * A person's name: from their invitation, else from the latest place they attend or enrolment they bought;
 * null while nobody said it. For themselves only: others may have written it.
 */
export async function nameOf(db: Db, { id, name }: { id: number; name: string | null }): Promise<string | null> {
  if (name !== null) return name;
  const { rows } = await sql<{ name: string }>`
    select name from (
      (select name, enrolment_id, 1 as rank from attendees where person_id = ${id} and name is not null
        order by enrolment_id desc limit 1)
      union all
      (select buyer_name, id, 2 from enrolments where person_id = ${id} order by id desc limit 1)
    ) known order by rank limit 1`.execute(db);
  return rows[0]?.name ?? null;
}

/** Whether a member of staff may use a permission in a course date: an instructor in their own only (P68). */
export async function maySeeCourseDate(
  db: Db,
  actor: StaffActor,
  courseDate: { id: number } | { slug: string },
  permission: Permission = 'course-dates:read',
): Promise<boolean> {
  const only = onlyCourseDatesOf(actor, permission);
  if (only === null) return true;
  const row = await db
    .selectFrom('course_dates')
    .select('id')
    .where((eb) => ('id' in courseDate ? eb('id', '=', courseDate.id) : eb('slug', '=', courseDate.slug)))
    .where('instructor_slug', 'in', ['', ...only])
    .executeTakeFirst();
  return row !== undefined;
}
