import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** How somebody signs in, to be kept as JSON: their addresses and passkeys. */
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
  };
}

/** Takes back what one change did to passkeys. One that stayed keeps the counts of its uses, so that no answer counts twice. */
export async function takePasskeysBack(
  trx: Db,
  personId: number,
  before: SignInMethods,
  after: SignInMethods,
): Promise<void> {
  const added = missingFrom(before.passkeys, after.passkeys, ({ id }) => id).map(({ id }) => id);
  await trx
    .deleteFrom('passkeys')
    .where('person_id', '=', personId)
    .where('id', 'in', ['', ...added])
    .execute();
  for (const { public_key, ...row } of missingFrom(after.passkeys, before.passkeys, ({ id }) => id)) {
    await trx
      .insertInto('passkeys')
      .values({ ...row, person_id: personId, public_key: Buffer.from(public_key, 'base64') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The members of the second list that are not in the first. */
const missingFrom = <T>(first: readonly T[], second: readonly T[], keyOf: (one: T) => string): T[] =>
  second.filter((one) => !first.some((other) => keyOf(other) === keyOf(one)));

/**
 * Takes back what one change did to addresses. One that somebody else has proved by now stays with them. Where the added
 * address became the main one since, the main one of before comes back in its place.
 */
export async function takeAddressesBack(
  trx: Db,
  personId: number,
  before: SignInMethods,
  after: SignInMethods,
): Promise<void> {
  const added = missingFrom(before.addresses, after.addresses, ({ email }) => email).map(({ email }) => email);
  const person = await trx.selectFrom('people').select('email').where('id', '=', personId).executeTakeFirst();
  const main = person?.email ?? '';
  const mainBack = added.includes(main) || (before.main !== after.main && main === after.main);
  const removed = missingFrom(after.addresses, before.addresses, ({ email }) => email);
  const back = mainBack ? before.addresses.filter(({ email }) => email === before.main) : [];
  for (const row of [...removed, ...back]) {
    await trx
      .insertInto('person_emails')
      .values({ ...row, person_id: personId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const emails = await trx.selectFrom('person_emails').select('email').where('person_id', '=', personId).execute();
  const isOwn = (address: string | null) => emails.some(({ email }) => email === address);
  const mainNow = mainBack && isOwn(before.main) ? before.main : main;
  if (mainNow !== main) await trx.updateTable('people').set({ email: mainNow }).where('id', '=', personId).execute();
  for (const email of added) if (isOwn(email) && email !== mainNow) await giveBack(trx, personId, email);
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
