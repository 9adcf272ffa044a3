import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from './actor.ts';
import { verifyAddress } from './addresses.server.ts';
import { removeApp } from './factors.server.ts';
import type { Role } from './permissions.ts';
import { findStaff, findStaffByAnyAddress, type Staff } from './queries.server.ts';
import { endAsks } from './sign-in-asks.server.ts';
import { endSignInsOf, lockPerson } from './sign-ins.server.ts';

/** A role to be granted; `teachesAs` is the slug of an instructor, for that role only. */
type Granted = { role: Role; teachesAs?: string };
type By = { actor: Actor; at: Date };

/**
 * Makes the person with this email address staff (P68). Somebody who is known and is not staff takes the name, and the
 * address becomes their main one; a member of staff keeps both, whichever of their addresses it is. A new role ends
 * every sign-in and unused link of the person, and removes their passkeys. So only a person who reads the mail of the
 * address now can use the role, with an app that only staff have (P52).
 */
export async function inviteStaff(
  trx: Db,
  person: { email: string; name: string },
  by: By,
  granted: Granted = { role: 'owner' },
): Promise<Staff> {
  requirePermission(by.actor, 'staff:grant');
  const { at } = by;
  const email = person.email.toLowerCase();
  const known = await findStaffByAnyAddress(trx, email);
  const staff = known ?? { id: await meetByName(trx, { email, name: person.name }, at), name: person.name, email };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('staff_roles')
    .values({
      person_id: staff.id,
      role: granted.role,
      instructor_slug: granted.teachesAs ?? null,
      granted_by: personIdOf(by.actor),
      granted_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'role'])
        .doUpdateSet({ instructor_slug: granted.teachesAs ?? null })
        .where('staff_roles.instructor_slug', 'is distinct from', granted.teachesAs ?? null),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return staff;
  await askForNewProof(trx, staff.id);
  await record(trx, by, 'invite', { personId: staff.id, role: granted.role });
  return staff;
}

/** The person with an address, main or further, with the given name; inserted if there is none. */
async function meetByName(trx: Db, { email, name }: { email: string; name: string }, at: Date): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select person_of(${email}) as id`.execute(trx);
  const id = rows[0]?.id;
  if (!id) throw new Error('nobody can be invited by an address that stands for an erased one');
  await trx.updateTable('people').set({ name, email }).where('id', '=', id).execute();
  await verifyAddress(trx, email, at);
  return id;
}

/**
 * Ends all by which somebody is or could be signed in without reading the mail of the main address now: sign-ins,
 * links, codes and passkeys.
 */
async function askForNewProof(trx: Db, personId: number): Promise<void> {
  await endAsks(trx, personId);
  await lockPerson(trx, personId);
  await endSignInsOf(trx, personId);
  await trx.deleteFrom('passkeys').where('person_id', '=', personId).execute();
  await trx.deleteFrom('address_asks').where('person_id', '=', personId).execute();
  // Taking a change back would restore what was removed.
  await trx.deleteFrom('account_changes').where('person_id', '=', personId).execute();
  // Nobody's account is deleted while they are staff.
  await trx.deleteFrom('account_closures').where('person_id', '=', personId).execute();
}

/**
 * Takes the app and the passkeys of a member of staff away, because they lost them, and ends their sign-ins. At the next
 * sign-in by mail they set up a new app.
 */
export async function resetFactors(
  trx: Db,
  email: string,
  by: By,
): Promise<{ ok: true; staff: Staff } | { ok: false; reason: 'not-staff' }> {
  requirePermission(by.actor, 'staff:grant');
  const staff = await findStaff(trx, email);
  if (!staff) return { ok: false, reason: 'not-staff' };
  await askForNewProof(trx, staff.id);
  await removeApp(trx, staff.id);
  await record(trx, by, 'reset-factors', { personId: staff.id });
  return { ok: true, staff };
}

/**
 * Takes all roles from the person with this email address, and ends their sign-ins and links at once. The person's row
 * stays, because the history of what they did refers to it. The last owner cannot leave: nobody could grant a role.
 */
export async function removeStaff(
  trx: Db,
  email: string,
  by: By,
): Promise<{ ok: true } | { ok: false; reason: 'not-staff' | 'last-owner' }> {
  requirePermission(by.actor, 'staff:grant');
  // If two owners leave at once, the second sees that the first is gone.
  await sql`lock table staff_roles in share row exclusive mode`.execute(trx);
  const held = await trx
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['people.id', 'role'])
    .where('email', '=', email.toLowerCase())
    .execute();
  const [first] = held;
  if (!first) return { ok: false, reason: 'not-staff' };
  const others = trx.selectFrom('staff_roles').select('role').where('role', '=', 'owner');
  const anotherOwner = await others.where('person_id', '<>', first.id).executeTakeFirst();
  if (held.some(({ role }) => role === 'owner') && !anotherOwner) return { ok: false, reason: 'last-owner' };
  await trx.deleteFrom('staff_roles').where('person_id', '=', first.id).execute();
  await endAccess(trx, first.id);
  await record(trx, by, 'remove', { personId: first.id });
  return { ok: true };
}

/** Ends the sign-ins and unused links of a person who lost a role, and takes the app away with the last one. */
export async function endAccess(trx: Db, personId: number): Promise<void> {
  await endSignInsOf(trx, personId);
  await endAsks(trx, personId);
  const roles = trx.selectFrom('staff_roles').select('role').where('person_id', '=', personId);
  if (!(await roles.executeTakeFirst())) await removeApp(trx, personId);
}

function record(
  trx: Db,
  { actor, at }: By,
  action: string,
  { personId, ...details }: { personId: number; role?: Role },
): Promise<void> {
  const subject = `person:${personId}`;
  return writeAuditEntry(trx, { at, personId: personIdOf(actor), action, subject, details });
}
