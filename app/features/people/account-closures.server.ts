import type { RawBuilder } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { findHeldPerson } from './addresses.server.ts';

const dayMs = 24 * 60 * 60_000;

const closures = (db: Db, most: RawBuilder<number>) =>
  db.selectFrom('account_closures').select('person_id as id').orderBy('delete_from').limit(most);

/** The closed accounts that are to be deleted at `at` (P58). */
export const readClosuresDue = (db: Db, at: Date, most: RawBuilder<number>) =>
  closures(db, most).where('deleted_at', 'is', null).where('delete_from', '<=', at).execute();

/** The deleted accounts of which something was kept, and which nobody looked at for a day. */
export const readClosuresToLookAt = (db: Db, at: Date, most: RawBuilder<number>) =>
  closures(db, most)
    .where('deleted_at', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('looked_at', '<=', new Date(at.getTime() - dayMs)),
        // Of a clock that was wrong.
        eb('looked_at', '>', new Date(at.getTime() + dayMs)),
      ]),
    )
    .execute();

/** Locks a closed account; null when it was kept meanwhile, or its owner is staff, whose account stays. */
export async function lockClosedPerson(trx: Trx, id: number) {
  const person = await trx
    .selectFrom('people')
    .innerJoin('account_closures', 'person_id', 'people.id')
    .select('people.email')
    .where('people.id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('staff_roles').select('role').where('staff_roles.person_id', '=', id))),
    )
    .forUpdate('people')
    .executeTakeFirst();
  if (!person) return null;
  if (person.email !== null) return findHeldPerson(trx, person.email);
  // Erased meanwhile.
  await trx.deleteFrom('account_closures').where('person_id', '=', id).execute();
  return null;
}

export async function markDeleted(trx: Trx, id: number, at: Date): Promise<void> {
  await trx
    .updateTable('account_closures')
    .set({ deleted_at: at, looked_at: at })
    .where('person_id', '=', id)
    .execute();
}

export async function markLookedAt(trx: Trx, id: number, at: Date): Promise<void> {
  await trx.updateTable('account_closures').set({ looked_at: at }).where('person_id', '=', id).execute();
}

/** Ends the closure of a person who has an account again, which keeps the remaining records; false without one. */
export async function endClosureOfPlayer(trx: Trx, id: number): Promise<boolean> {
  const account = await trx.selectFrom('players').select('since').where('person_id', '=', id).executeTakeFirst();
  if (account) await trx.deleteFrom('account_closures').where('person_id', '=', id).execute();
  return account !== undefined;
}

/** Forgets the closure once nothing names the person any more. */
export async function forgetClosure(trx: Trx, id: number): Promise<void> {
  await trx
    .deleteFrom('account_closures')
    .where('person_id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('people').select('people.id').where('people.id', '=', id).where('email', 'is', null)),
    )
    .execute();
}
