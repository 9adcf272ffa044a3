import type { Db } from '#app/db/client.server.ts';
import { hasFactor } from './factors.server.ts';
import type { SignIn } from './sign-ins.server.ts';

/** How a player signs in, as the settings show it. */
export type Settings = {
  hasPassword: boolean;
  hasFactor: boolean;
  recoveryLeft: number;
  passkeys: { id: string; name: string; addedAt: Date; usedAt: Date | null }[];
  signIns: { id: number; browser: string; audience: string; usedAt: Date; own: boolean }[];
  addresses: { email: string; main: boolean; proved: boolean }[];
  isStaff: boolean;
};

export async function readSettings(db: Db, { id, personId }: Pick<SignIn, 'id' | 'personId'>): Promise<Settings> {
  const [password, factor, recovery, passkeys, signIns, addresses, roles] = await Promise.all([
    db.selectFrom('passwords').select('set_at').where('person_id', '=', personId).execute(),
    hasFactor(db, personId),
    db.selectFrom('recovery_codes').select('code_hash').where('person_id', '=', personId).execute(),
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'added_at', 'used_at'])
      .where('person_id', '=', personId)
      .orderBy('added_at')
      .execute(),
    db
      .selectFrom('sign_ins')
      .select(['id', 'browser', 'audience', 'used_at'])
      .where('person_id', '=', personId)
      .where('awaits', 'is', null)
      .orderBy('used_at', 'desc')
      .execute(),
    db
      .selectFrom('person_emails')
      .innerJoin('people', 'people.id', 'person_id')
      .select(['person_emails.email', 'people.email as main', 'verified_at'])
      .where('person_id', '=', personId)
      .orderBy('person_emails.email')
      .execute(),
    db.selectFrom('staff_roles').select('role').where('person_id', '=', personId).execute(),
  ]);
  return {
    hasPassword: password.length > 0,
    hasFactor: factor,
    recoveryLeft: recovery.length,
    passkeys: passkeys.map(({ id: key, name, added_at, used_at }) => ({
      id: key,
      name,
      addedAt: added_at,
      usedAt: used_at,
    })),
    signIns: signIns.map(({ used_at, ...row }) => ({ ...row, usedAt: used_at, own: row.id === id })),
    addresses: addresses.map(({ email, main, verified_at }) => ({
      email,
      main: email === main,
      proved: verified_at !== null,
    })),
    isStaff: roles.length > 0,
  };
}

/**
 * Whether a person is staff without a second factor: until it is set up at the door of staff they change nothing of how
 * they sign in, so that nobody adds a way in between the role and its owner's first sign-in (P52).
 */
export async function mustSetUpFirst(trx: Db, personId: number): Promise<boolean> {
  const role = trx.selectFrom('staff_roles').select('role').where('person_id', '=', personId);
  return (await role.executeTakeFirst()) !== undefined && !(await hasFactor(trx, personId));
}

/** Ends one of the person's own sign-ins. */
export async function endOwnSignIn(db: Db, personId: number, id: number): Promise<void> {
  await db.deleteFrom('sign_ins').where('person_id', '=', personId).where('id', '=', id).execute();
}
