import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import type { Db } from '#app/db/client.server.ts';
import { askLimits } from '#app/http/form-limit.server.ts';
import { trueTime } from '#app/lib/clock.ts';
import { opened, sealedWith } from '#app/lib/sealed.server.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
import { findConsentsAgain } from '#app/outbox/marketing.server.ts';
import type { SignInServices } from './sign-in-context.ts';

const stepSeconds = 30;
const recoveryCodes = 10;

/** Whether a member of staff has set an app up, to the end (P53). */
export async function hasApp(db: Db, personId: number): Promise<boolean> {
  const row = await db
    .selectFrom('totp_keys')
    .select('person_id')
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes the key for an app, until it is confirmed by a code. One that is confirmed stays. */
export async function prepareTotp(trx: Db, seedKey: Uint8Array, personId: number): Promise<void> {
  const secret = sealedWith(seedKey, new Secret({ buffer: Uint8Array.from(randomBytes(20)).buffer }).base32);
  await trx
    .insertInto('totp_keys')
    .values({ person_id: personId, secret })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet({ secret }).where('totp_keys.confirmed_at', 'is', null),
    )
    .execute();
}

/** The key that is to be confirmed: as text to type and as the address that an app reads from a QR code. */
export async function readNewTotp(
  { db, seedKey }: Pick<SignInServices, 'db' | 'seedKey'>,
  personId: number,
  issuer: string,
): Promise<{ secret: string; address: string } | null> {
  const row = await db
    .selectFrom('totp_keys')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['secret', 'email'])
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const secret = opened(seedKey, row.secret);
  const address = totpOf(secret, { issuer, label: row.email ?? issuer }).toString();
  return { secret: secret.replaceAll(/(.{4})(?=.)/g, '$1 '), address };
}

const totpOf = (secret: string, named: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...named, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: stepSeconds });

type Tried = { ok: true } | { ok: false; reason: 'wrong' | 'too-many' };

/**
 * Takes a code of the app or a recovery code, in the caller's transaction. A wrong one counts, and after five within 15
 * minutes none is taken until they are over; they are counted in the database, for all processes. A code of the app is
 * taken once: its time step is stored by the statement that accepts it. So is a recovery code.
 */
export async function takeFactor(
  trx: Db,
  services: Pick<SignInServices, 'clock' | 'secret' | 'seedKey' | 'limitOfFactor'>,
  { personId, code }: { personId: number; code: string },
): Promise<Tried> {
  return limited(trx, services, personId, () =>
    /^\P{L}*$/u.test(code)
      ? takeTotp(trx, services, { personId, code, confirmed: true })
      : takeRecoveryCode(trx, services.secret, { personId, code }),
  );
}

/**
 * Confirms the app's key by its first code, in the caller's transaction, and returns ten new recovery codes: they are
 * shown this once. Wrong codes count as those of `takeFactor`.
 */
export async function confirmTotp(
  trx: Db,
  services: Pick<SignInServices, 'clock' | 'secret' | 'seedKey' | 'limitOfFactor'>,
  { personId, code }: { personId: number; code: string },
): Promise<{ ok: true; recoveryCodes: string[] } | Exclude<Tried, { ok: true }>> {
  const tried = await limited(trx, services, personId, () =>
    takeTotp(trx, services, { personId, code, confirmed: false }),
  );
  return tried.ok ? { ok: true, recoveryCodes: await makeRecoveryCodes(trx, services.secret, personId) } : tried;
}

async function limited(
  trx: Db,
  { clock, limitOfFactor }: Pick<SignInServices, 'clock' | 'limitOfFactor'>,
  personId: number,
  take: () => Promise<boolean>,
): Promise<Tried> {
  const room = await askLimits(trx, [{ limit: limitOfFactor, by: `person ${personId}` }], clock.now());
  if (!room.ok) return { ok: false, reason: 'too-many' };
  if (await take()) return { ok: true };
  await room.count();
  return { ok: false, reason: 'wrong' };
}

/** Apps go by the true time. */
async function takeTotp(
  trx: Db,
  { clock, seedKey }: Pick<SignInServices, 'clock' | 'seedKey'>,
  { personId, code, confirmed }: { personId: number; code: string; confirmed: boolean },
): Promise<boolean> {
  const keys = trx.selectFrom('totp_keys').select('secret').where('person_id', '=', personId);
  const key = await keys.where('confirmed_at', confirmed ? 'is not' : 'is', null).executeTakeFirst();
  const token = sixDigits(code);
  if (!key || token === null) return false;
  const timestamp = trueTime(clock).getTime();
  const delta = totpOf(opened(seedKey, key.secret)).validate({ token, timestamp, window: 1 });
  if (delta === null) return false;
  const step = Math.floor(timestamp / 1000 / stepSeconds) + delta;
  const { numUpdatedRows } = await trx
    .updateTable('totp_keys')
    .set({ last_step: step, ...(!confirmed && { confirmed_at: clock.now() }) })
    .where('person_id', '=', personId)
    .where('secret', '=', key.secret)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

async function takeRecoveryCode(
  trx: Db,
  secret: string,
  { personId, code }: { personId: number; code: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hashOfRecovery(secret, personId, code))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

// Without letters and digits that look the same.
const letters = '23456789abcdefghjkmnpqrstuvwxyz';

/** Replaces the recovery codes by ten new ones and returns them: the database has only their hashes. */
export async function makeRecoveryCodes(trx: Db, secret: string, personId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join(
      '-',
    ),
  );
  await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ person_id: personId, code_hash: hashOfRecovery(secret, personId, code) })))
    .execute();
  return codes;
}

const hashOfRecovery = (secret: string, personId: number, code: string) =>
  createHmac('sha256', secret)
    .update(`recovery:${personId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
    .digest('base64url');

/** Takes the app of a person away, with its recovery codes. */
export async function removeApp(trx: Db, personId: number): Promise<void> {
  await trx.deleteFrom('totp_keys').where('person_id', '=', personId).execute();
}

/** A QR code as the path of an SVG picture: dark modules as squares of one unit, with the quiet border of four. */
export function qrCode(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 4, ecc: 'M' });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return { path, size };
}

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
  await findConsentsAgain(trx, personId, email);
}
