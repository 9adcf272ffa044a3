import type { Db } from '#app/db/client.server.ts';
import type { Player } from './players.server.ts';

/** How a person signs in, as the settings show it. */
type Settings = {
  /** Recovery codes that staff have left. */
  recoveryLeft: number;
  passkeys: { id: string; name: string; addedAt: Date; usedAt: Date | null }[];
  signIns: { id: number; browser: string; audience: string; usedAt: Date; own: boolean }[];
  addresses: { email: string; main: boolean; proved: boolean }[];
};

export async function readSettings(db: Db, { person, signIns: own }: Player): Promise<Settings> {
  const personId = person.id;
  const [recovery, passkeys, signIns, addresses] = await Promise.all([
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
  ]);
  return {
    recoveryLeft: recovery.length,
    passkeys: passkeys.map(({ id: key, name, added_at, used_at }) => ({
      id: key,
      name,
      addedAt: added_at,
      usedAt: used_at,
    })),
    signIns: signIns.map(({ used_at, ...row }) => ({ ...row, usedAt: used_at, own: own.includes(row.id) })),
    addresses: addresses.map(({ email, main, verified_at }) => ({
      email,
      main: email === main,
      proved: verified_at !== null,
    })),
  };
}

/** Ends one of the person's own sign-ins. */
export async function endOwnSignIn(db: Db, personId: number, id: number): Promise<void> {
  await db.deleteFrom('sign_ins').where('person_id', '=', personId).where('id', '=', id).execute();
}
