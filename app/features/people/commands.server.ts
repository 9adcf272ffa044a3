import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { verifyAddress } from './addresses.server.ts';
import type { Staff } from './staff.ts';
import { standInFor } from './stand-in.ts';

/**
 * Makes the person with this e-mail address staff (P45); whoever is staff already stays so and takes the name. Whoever
 * runs the server vouches for the address.
 */
export async function inviteStaff(trx: Db, person: { email: string; name: string }, at: Date): Promise<Staff> {
  const { name } = person;
  const { id } = await trx
    .insertInto('people')
    .values({
      name,
      email: person.email.toLowerCase(),
      email_verified: true,
      role: 'owner',
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({ name, role: 'owner', email_verified: true, updated_at: at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const email = person.email.toLowerCase();
  await verifyAddress(trx, email, at);
  await writeAuditEntry(trx, { at, personId: null, action: 'invite', subject: `person:${id}` });
  return { id, name, email };
}

/**
 * Takes the role away and ends the person's sign-ins and links at once; false when nobody with this e-mail address is
 * staff. The person's row stays, because the history of what they did refers to it.
 */
export async function removeStaff(trx: Db, email: string, at: Date): Promise<boolean> {
  const removed = await trx
    .updateTable('people')
    .set({ role: null, updated_at: at })
    .where('email', '=', email.toLowerCase())
    .where('role', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (!removed) return false;
  await trx.deleteFrom('sign_ins').where('person_id', '=', removed.id).execute();
  await endLinks(trx, email.toLowerCase());
  await writeAuditEntry(trx, { at, personId: null, action: 'remove', subject: `person:${removed.id}` });
  return true;
}

/** Ends the links to sign in that a person has not used. */
export async function endLinks(db: Db, email: string): Promise<void> {
  await db
    .deleteFrom('verifications')
    .where(sql<string>`value::jsonb ->> 'email'`, 'in', [email, standInFor(email)])
    .execute();
}
