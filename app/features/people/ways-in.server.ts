import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** How somebody signs in: their addresses, password, passkeys and second factor. */
type WaysIn = {
  main: string | null;
  addresses: { email: string; verified_at: string | null }[];
  passwords: { hash: string; set_at: string }[];
  /** Public keys in base64. */
  passkeys: {
    id: string;
    public_key: string;
    counter: number;
    transports: string[];
    name: string;
    added_at: string;
    used_at: string | null;
  }[];
  totp: { secret: string; made_at: string; confirmed_at: string | null; last_step: number }[];
  recovery: string[];
};

/** Reads how a person signs in, as JSON to be kept: it holds hashes and keys. */
export async function readWaysIn(trx: Db, personId: number): Promise<WaysIn> {
  const person = await trx.selectFrom('people').select('email').where('id', '=', personId).executeTakeFirst();
  const addresses = await trx
    .selectFrom('person_emails')
    .select(['email', 'verified_at'])
    .where('person_id', '=', personId)
    .orderBy('email')
    .execute();
  const passwords = await trx
    .selectFrom('passwords')
    .select(['hash', 'set_at'])
    .where('person_id', '=', personId)
    .execute();
  const passkeys = await trx.selectFrom('passkeys').selectAll().where('person_id', '=', personId).execute();
  const totp = await trx
    .selectFrom('totp_keys')
    .select(['secret', 'made_at', 'confirmed_at', 'last_step'])
    .where('person_id', '=', personId)
    .execute();
  const recovery = await trx
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('person_id', '=', personId)
    .execute();
  const text = (date: Date | null) => (date === null ? null : date.toISOString());
  return {
    main: person?.email ?? null,
    addresses: addresses.map(({ email, verified_at }) => ({ email, verified_at: text(verified_at) })),
    passwords: passwords.map(({ hash, set_at }) => ({ hash, set_at: set_at.toISOString() })),
    passkeys: passkeys.map(({ person_id: _, public_key, added_at, used_at, counter, ...row }) => ({
      ...row,
      counter: Number(counter),
      public_key: public_key.toString('base64'),
      added_at: added_at.toISOString(),
      used_at: text(used_at),
    })),
    totp: totp.map(({ made_at, confirmed_at, last_step, secret }) => ({
      secret,
      last_step: Number(last_step),
      made_at: made_at.toISOString(),
      confirmed_at: text(confirmed_at),
    })),
    recovery: recovery.map(({ code_hash }) => code_hash),
  };
}

/** Restores how a person signed in. An address that somebody else has proved by now stays with them. */
export async function restoreWaysIn(trx: Db, personId: number, before: WaysIn): Promise<void> {
  for (const table of ['passwords', 'passkeys', 'totp_keys', 'recovery_codes'] as const) {
    await trx.deleteFrom(table).where('person_id', '=', personId).execute();
  }
  const own = { person_id: personId };
  for (const row of before.passwords)
    await trx
      .insertInto('passwords')
      .values({ ...own, ...row })
      .execute();
  for (const row of before.totp)
    await trx
      .insertInto('totp_keys')
      .values({ ...own, ...row })
      .execute();
  for (const { public_key, ...row } of before.passkeys) {
    const key = Buffer.from(public_key, 'base64');
    await trx
      .insertInto('passkeys')
      .values({ ...own, ...row, public_key: key })
      .execute();
  }
  for (const code_hash of before.recovery)
    await trx
      .insertInto('recovery_codes')
      .values({ ...own, code_hash })
      .execute();
  await restoreAddresses(trx, personId, before);
}

async function restoreAddresses(trx: Db, personId: number, { main, addresses }: WaysIn): Promise<void> {
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
