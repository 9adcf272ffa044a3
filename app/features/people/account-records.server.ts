import type { PersonalRecords } from '#app/db/personal-records.server.ts';

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
