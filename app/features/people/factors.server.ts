import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Db } from '#app/db/client.server.ts';
import { askLimits } from '#app/http/form-limit.server.ts';
import { trueTime } from '#app/lib/clock.ts';
import { opened, sealedWith } from '#app/lib/sealed.server.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
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

// Without letters and digits that look groupByDate.
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
