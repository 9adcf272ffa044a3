import { createHmac, randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Passkeys } from '#app/db/schema.ts';
import { isSameSecret } from '#app/lib/private-token.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import { type Audience, clockDriftMs, lockPerson } from './sign-ins.server.ts';

/**
 * Loaded with the first passkey: most processes need none, and the package logs warnings about experimental features of
 * Node.
 */
const passkeyLibrary = () => import('@simplewebauthn/server');

/** A person may add this many. */
const mostPasskeys = 20;

type Services = Pick<SignInServices, 'origin' | 'clock' | 'secret'>;

/** The relying party of passkeys: the host of the public origin. */
const relyingParty = (origin: string): string => new URL(origin).hostname;

/** The options for making a passkey in a sign-in. */
export async function offerPasskey(
  trx: Db,
  { origin, clock, secret, academy }: Services & Pick<SignInServices, 'academy'>,
  { personId, signInId, email }: { personId: number; signInId: number; email: string },
) {
  const known = await trx.selectFrom('passkeys').select('id').where('person_id', '=', personId).execute();
  return (await passkeyLibrary()).generateRegistrationOptions({
    rpName: academy().name,
    rpID: relyingParty(origin),
    userName: email,
    userID: new TextEncoder().encode(`person-${personId}`),
    challenge: makeChallenge(secret, `add in ${signInId}`, clock.now()),
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Stores the passkey that a browser made, in the caller's transaction. */
export async function addPasskey(
  trx: Db,
  { origin, clock, secret }: Services,
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
      expectedChallenge: (sent) => challengeMadeAt(secret, `add in ${signInId}`, sent, clock.now()) !== null,
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: true,
    })
    .catch(() => null);
  if (!verified?.verified) return { ok: false };
  const { credential } = verified.registrationInfo;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('passkeys')
    .values({
      id: credential.id,
      person_id: personId,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
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

/**
 * Whether a passkey has to verify its user by a fingerprint, a face or a PIN. It is all that a player shows; staff whose
 * passkey did not are asked for the app's code (P96).
 */
const mustVerify: Record<Audience, boolean> = { player: true, staff: false };

/** The options for showing any passkey: they name no person. */
export async function askForPasskey({ origin, clock, secret }: Services, audience: Audience) {
  return (await passkeyLibrary()).generateAuthenticationOptions({
    rpID: relyingParty(origin),
    challenge: makeChallenge(secret, audience, clock.now()),
    userVerification: mustVerify[audience] ? 'required' : 'preferred',
  });
}

/**
 * The person whose passkey signed a challenge of ours, and whether it verified them, in the caller's transaction; null
 * when that is nobody's.
 */
export async function takePasskey(
  trx: Db,
  services: Services,
  { audience, text }: { audience: Audience; text: string },
): Promise<{ personId: number; verified: boolean } | null> {
  const response = parsed<AuthenticationResponseJSON>(text);
  if (typeof response?.id !== 'string') return null;
  const passkeys = trx.selectFrom('passkeys').selectAll().where('id', '=', response.id);
  const owner = await passkeys.executeTakeFirst();
  // The person before the passkey, as wherever passkeys are removed.
  if (owner) await lockPerson(trx, owner.person_id);
  const key = await passkeys.executeTakeFirst();
  const shown = key && (await verify(services, { audience, response, key }).catch(() => null));
  if (!shown || (key.used_at && shown.madeAt <= key.used_at)) return null;
  const { madeAt, counter, verified } = shown;
  await trx.updateTable('passkeys').set({ counter, used_at: madeAt }).where('id', '=', key.id).execute();
  return { personId: key.person_id, verified };
}

/** Verifies an answer with the public key, as the library does; throws when the answer is not one to our challenge. */
async function verify(
  { origin, clock, secret }: Services,
  { audience, response, key }: { audience: Audience; response: AuthenticationResponseJSON; key: Selectable<Passkeys> },
): Promise<{ madeAt: Date; counter: number; verified: boolean } | null> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  const { challenge } = decodeClientDataJSON(response.response.clientDataJSON);
  const madeAt = challengeMadeAt(secret, audience, challenge, clock.now());
  if (!madeAt) return null;
  const { verified, authenticationInfo } = await (await passkeyLibrary()).verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: relyingParty(origin),
    credential: { id: key.id, publicKey: new Uint8Array(key.public_key), counter: Number(key.counter) },
    requireUserVerification: mustVerify[audience],
  });
  const { newCounter: counter, userVerified } = authenticationInfo;
  return verified ? { madeAt, counter, verified: userVerified } : null;
}

function parsed<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}

/** The purpose of a challenge: to sign in as a player or as staff, or to add a passkey in the sign-in with this id. */
export type ChallengePurpose = Audience | `add in ${number}`;

const lastsMs = 5 * 60_000;

/**
 * A challenge for a passkey to sign: an instant, random bytes, and a signature of ours over both and the purpose. It is
 * not stored, so anybody may ask for any number. An answer still counts once: the row of a passkey keeps the instant of
 * the last challenge that it answered, and only a later one is taken, because most passkeys count to zero for ever; the
 * answer that adds a passkey cannot be repeated, because a passkey is added once.
 */
export function makeChallenge(secret: string, purpose: ChallengePurpose, at: Date): string {
  const body = `${at.getTime()}.${randomBytes(16).toString('base64url')}`;
  return `${body}.${signatureOf(secret, purpose, body)}`;
}

/**
 * The instant at which a challenge was made, from the base64url that browsers send; null when it is not ours, has
 * another purpose, or is older than five minutes.
 */
export function challengeMadeAt(secret: string, purpose: ChallengePurpose, sent: string, now: Date): Date | null {
  const [time = '', random = '', signature = '', ...more] = Buffer.from(sent, 'base64url').toString().split('.');
  const ours = isSameSecret(signatureOf(secret, purpose, `${time}.${random}`), signature);
  if (!ours || more.length > 0) return null;
  const age = now.getTime() - Number(time);
  return age >= -clockDriftMs && age < lastsMs ? new Date(Number(time)) : null;
}

const signatureOf = (secret: string, purpose: ChallengePurpose, body: string): string =>
  createHmac('sha256', secret).update(`passkey-challenge:${purpose}:${body}`).digest('base64url');
