import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import type { SignInServices } from './sign-in-context.ts';

/**
 * Loaded with the first passkey: most processes need none, and the package logs warnings about experimental features of
 * Node.
 */
const passkeyLibrary = () => import('@simplewebauthn/server');

const challengeMinutes = 5;
/** A person may add this many. */
const mostPasskeys = 20;

type Services = Pick<SignInServices, 'origin' | 'clock'>;

/** The relying party of passkeys: the host of the public origin. */
const relyingParty = (origin: string): string => new URL(origin).hostname;

/** The options for making a passkey; the challenge is stored for this sign-in, once. */
export async function offerPasskey(
  trx: Db,
  { origin, clock, academy }: Services & Pick<SignInServices, 'academy'>,
  { personId, signInId, email }: { personId: number; signInId: number; email: string },
) {
  const known = await trx.selectFrom('passkeys').select('id').where('person_id', '=', personId).execute();
  const options = await (await passkeyLibrary()).generateRegistrationOptions({
    rpName: academy().name,
    rpID: relyingParty(origin),
    userName: email,
    userID: new TextEncoder().encode(`person-${personId}`),
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await store(trx, options.challenge, signInId, clock.now());
  return options;
}

/** Stores the passkey that a browser made, in the caller's transaction. */
export async function addPasskey(
  trx: Db,
  { origin, clock }: Services,
  added: { personId: number; signInId: number; name: string; response: string },
): Promise<{ ok: boolean }> {
  const { personId, signInId } = added;
  const response = parsed<RegistrationResponseJSON>(added.response);
  if (!response) return { ok: false };
  const others = await trx.selectFrom('passkeys').select('name').where('person_id', '=', personId).execute();
  if (others.length >= mostPasskeys) return { ok: false };
  const verified = await (await passkeyLibrary())
    .verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => take(trx, challenge, signInId, clock.now()),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: true,
    })
    .catch(refusedUnlessTrouble);
  if (!verified?.verified || !verified.registrationInfo) return { ok: false };
  const { credential } = verified.registrationInfo;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('passkeys')
    .values({
      id: credential.id,
      person_id: personId,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name: nameBeside(others, added.name),
      added_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return { ok: numInsertedOrUpdatedRows === 1n };
}

/** The name, with the first free number after it where others have it: `Chrome on Linux 2`. */
function nameBeside(others: readonly { name: string }[], name: string): string {
  const taken = new Set(others.map((other) => other.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}

/** The options for showing any passkey: they name no person. */
export async function askForPasskey(db: Db, { origin, clock }: Services) {
  const options = await (await passkeyLibrary()).generateAuthenticationOptions({
    rpID: relyingParty(origin),
    userVerification: 'required',
  });
  await store(db, options.challenge, null, clock.now());
  return options;
}

/** The person whose passkey signed a challenge of ours, in the caller's transaction; null when that is nobody's. */
export async function takePasskey(
  trx: Db,
  { origin, clock }: Services,
  text: string,
): Promise<{ personId: number } | null> {
  const response = parsed<AuthenticationResponseJSON>(text);
  if (typeof response?.id !== 'string') return null;
  const key = await trx.selectFrom('passkeys').selectAll().where('id', '=', response.id).forUpdate().executeTakeFirst();
  if (!key) return null;
  const verified = await (await passkeyLibrary())
    .verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => take(trx, challenge, null, clock.now()),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      credential: { id: key.id, publicKey: new Uint8Array(key.public_key), counter: Number(key.counter) },
      requireUserVerification: true,
    })
    .catch(refusedUnlessTrouble);
  if (!verified?.verified) return null;
  await trx
    .updateTable('passkeys')
    .set({ counter: verified.authenticationInfo.newCounter, used_at: clock.now() })
    .where('id', '=', key.id)
    .execute();
  return { personId: key.person_id };
}

/** An error of the library is a refusal; an error of the database is not. */
function refusedUnlessTrouble(error: unknown): null {
  if (databaseTrouble(error)) throw error;
  return null;
}

async function store(db: Db, challenge: string, signInId: number | null, at: Date): Promise<void> {
  await db.insertInto('passkey_challenges').values({ challenge, sign_in_id: signInId, made_at: at }).execute();
}

/** Uses a challenge up; false when we did not make it, it is too old, or it belongs to another sign-in. */
async function take(trx: Db, challenge: string, signInId: number | null, at: Date): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('sign_in_id', signInId === null ? 'is' : '=', signInId)
    .where('made_at', '>', new Date(at.getTime() - challengeMinutes * 60_000))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

function parsed<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}
