import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#app/lib/private-token.server.ts';
import { type Audience, clockDriftMs } from './sign-ins.server.ts';

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
 * When a challenge was made, from the base64url that browsers send; null when it is not ours, has another purpose, or is
 * older than five minutes.
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
