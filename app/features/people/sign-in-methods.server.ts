import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** How somebody signs in, to be kept as JSON: their addresses and passkeys, and the recovery codes of staff. */
export type SignInMethods = {
  main: string | null;
  addresses: { email: string; verified_at: string | null }[];
  /** Public keys in base64. */
  passkeys: {
    id: string;
    public_key: string;
    counter: number;
    name: string;
    added_at: string;
    used_at: string | null;
  }[];
  /** Hashes. */
  recoveryCodes: string[];
};

export async function readSignInMethods(trx: Db, personId: number): Promise<SignInMethods> {
  const person = await trx.selectFrom('people').select('email').where('id', '=', personId).executeTakeFirst();
  const addresses = await trx
    .selectFrom('person_emails')
    .select(['email', 'verified_at'])
    .where('person_id', '=', personId)
    .orderBy('email')
    .execute();
  const passkeys = await trx.selectFrom('passkeys').selectAll().where('person_id', '=', personId).execute();
  const codes = await trx.selectFrom('recovery_codes').select('code_hash').where('person_id', '=', personId).execute();
  const text = (date: Date | null) => (date === null ? null : date.toISOString());
  return {
    main: person?.email ?? null,
    addresses: addresses.map(({ email, verified_at }) => ({ email, verified_at: text(verified_at) })),
    passkeys: passkeys.map(({ person_id: _, public_key, added_at, used_at, counter, ...row }) => ({
      ...row,
      counter: Number(counter),
      public_key: public_key.toString('base64'),
      added_at: added_at.toISOString(),
      used_at: text(used_at),
    })),
    recoveryCodes: codes.map(({ code_hash }) => code_hash),
  };
}

/** Restores the passkeys of before. One that stayed keeps the counts of its uses since, so that no answer counts twice. */
export async function restorePasskeys(trx: Db, personId: number, { passkeys }: SignInMethods): Promise<void> {
  await trx
    .deleteFrom('passkeys')
    .where('person_id', '=', personId)
    .where('id', 'not in', ['', ...passkeys.map(({ id }) => id)])
    .execute();
  for (const { public_key, ...row } of passkeys) {
    await trx
      .insertInto('passkeys')
      .values({ ...row, person_id: personId, public_key: Buffer.from(public_key, 'base64') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Restores the recovery codes of before new ones were made, for a person who still has the app. */
export async function restoreRecoveryCodes(trx: Db, personId: number, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  await sql`insert into recovery_codes (person_id, code_hash)
    select person_id, unnest(${hashes}::text[]) from totp_keys where person_id = ${personId}`.execute(trx);
}

/** Restores the addresses of before. One that somebody else has proved by now stays with them. */
export async function restoreAddresses(trx: Db, personId: number, { main, addresses }: SignInMethods): Promise<void> {
  for (const row of addresses) {
    await trx
      .insertInto('person_emails')
      .values({ ...row, person_id: personId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const now = await trx.selectFrom('person_emails').select('email').where('person_id', '=', personId).execute();
  if (now.some(({ email }) => email === main)) {
    await trx.updateTable('people').set({ email: main }).where('id', '=', personId).execute();
  }
  const kept = new Set([...addresses.map(({ email }) => email), main]);
  for (const { email } of now) if (!kept.has(email)) await giveBack(trx, personId, email);
}

/**
 * Takes an address from a person, with the enquiries, enrolments and places under it: they belong to the reader of its
 * mail.
 */
async function giveBack(trx: Db, personId: number, email: string): Promise<void> {
  await trx.deleteFrom('person_emails').where('email', '=', email).where('person_id', '=', personId).execute();
  const tables = ['enrolments', 'attendees', 'bookings', 'conversations', 'enquiries', 'waiting_entries'] as const;
  // Writing the unchanged address makes the trigger find the person again.
  for (const table of tables) {
    await sql`update ${sql.table(table)} set email = email where person_id = ${personId} and lower(email) = ${email}`.execute(
      trx,
    );
  }
  await sql`update marketing_consents set address = address where person_id = ${personId} and lower(address) = ${email}`.execute(
    trx,
  );
}
