import type { RawBuilder } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { findHeldPerson } from './addresses.server.ts';

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
        // A time that a wrong clock wrote.
        eb('looked_at', '>', new Date(at.getTime() + dayMs)),
      ]),
    )
    .execute();

/** Locks a closed account; null when its owner has kept it since, or is staff, whose account stays. */
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

const ownTables = [
  'account_changes',
  'address_asks',
  'passkeys',
  'players',
  'recovery_codes',
  'sign_ins',
  'totp_keys',
] as const;

/**
 * A player's account and how the person signs in. Secrets are named and not shown. For staff only what belongs to them
 * as a player goes: what they sign in with stays while they are staff.
 */
export const accountRecords: PersonalRecords = {
  name: 'account',
  tables: [...ownTables, 'sign_in_asks'],
  async read(db, { id, addresses }) {
    const [players, apps, passkeys, signIns, asked, changes, asks, closures] = await Promise.all([
      db.selectFrom('players').select(['since', 'avenue']).where('person_id', '=', id).execute(),
      db.selectFrom('totp_keys').select('confirmed_at').where('person_id', '=', id).execute(),
      db.selectFrom('passkeys').select(['name', 'added_at', 'used_at']).where('person_id', '=', id).execute(),
      db
        .selectFrom('sign_ins')
        .select(['audience', 'browser', 'created_at', 'used_at'])
        .where('person_id', '=', id)
        .orderBy('id')
        .execute(),
      db.selectFrom('address_asks').select(['email', 'asked_at']).where('person_id', '=', id).execute(),
      db.selectFrom('account_changes').select(['what', 'made_at']).where('person_id', '=', id).orderBy('id').execute(),
      db.selectFrom('sign_in_asks').select(['email', 'asked_at']).where('email', 'in', addresses).execute(),
      db.selectFrom('account_closures').select(['asked_at', 'delete_from']).where('person_id', '=', id).execute(),
    ]);
    const held = { players, apps, passkeys, signIns, asked, changes, asks, closures };
    return Object.values(held).every(({ length }) => length === 0) ? [] : [held];
  },
  async erase(trx, { id, addresses }) {
    const roles = trx.selectFrom('staff_roles').select('role').where('person_id', '=', id);
    const isStaff = (await roles.executeTakeFirst()) !== undefined;
    const tables = isStaff ? (['players', 'address_asks', 'account_changes'] as const) : ownTables;
    const asks = await trx.deleteFrom('sign_in_asks').where('email', 'in', addresses).executeTakeFirstOrThrow();
    let count = Number(asks.numDeletedRows);
    for (const table of tables) {
      const { numDeletedRows } = await trx.deleteFrom(table).where('person_id', '=', id).executeTakeFirstOrThrow();
      count += Number(numDeletedRows);
    }
    return { count };
  },
};
