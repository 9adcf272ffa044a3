import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { type Actor, demand, personIdOf } from './actor.ts';
import { verifyAddress } from './addresses.server.ts';
import type { Role } from './permissions.ts';
import type { Staff } from './queries.server.ts';
import { standInFor } from './stand-in.ts';

/** A role to be granted; `teachesAs` is the slug of an instructor, for that role only. */
type Granted = { role: Role; teachesAs?: string };
type By = { actor: Actor; at: Date };

/**
 * Makes the person with this email address staff (P68); whoever is known already takes the name. A role they did not
 * have ends every sign-in and unused link of theirs, so that it is used only by who reads the address's mail now (P52).
 * Whoever grants it vouches for the address.
 */
export async function inviteStaff(
  trx: Db,
  person: { email: string; name: string },
  by: By,
  granted: Granted = { role: 'owner' },
): Promise<Staff> {
  demand(by.actor, 'staff:grant');
  const { at } = by;
  const known = { name: person.name, email_verified: true, updated_at: at };
  const email = person.email.toLowerCase();
  const { id } = await trx
    .insertInto('people')
    .values({ ...known, email, created_at: at })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(known))
    .returning('id')
    .executeTakeFirstOrThrow();
  await verifyAddress(trx, email, at);
  const staff: Staff = { id, name: person.name, email };
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
  await endSignIns(trx, staff);
  await record(trx, by, 'invite', { personId: staff.id, role: granted.role });
  return staff;
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
  demand(by.actor, 'staff:grant');
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
  await endSignIns(trx, { id: first.id, email: email.toLowerCase() });
  await record(trx, by, 'remove', { personId: first.id });
  return { ok: true };
}

async function endSignIns(trx: Db, { id, email }: Pick<Staff, 'id' | 'email'>): Promise<void> {
  await trx.deleteFrom('sign_ins').where('person_id', '=', id).execute();
  await endLinks(trx, email);
}

/** Ends the links to sign in that a person has not used. */
export async function endLinks(db: Db, email: string): Promise<void> {
  // Rows of other kinds hold no JSON, so the text is searched.
  const ofLink = `"email":${JSON.stringify(standInFor(email))}`;
  await db.deleteFrom('verifications').where(sql<boolean>`position(${ofLink} in value) > 0`).execute();
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
