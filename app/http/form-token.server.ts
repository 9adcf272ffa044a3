import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { dayMs } from '#app/lib/durations.ts';

const youngestMs = 2_000;
const oldestMs = dayMs;

export type FormToken = { ok: true; idempotencyKey: string } | { ok: false; reason: 'forged' | 'too-fast' | 'expired' };

/** A hidden field's text: when the form was made, its idempotency key, and a signature over both (P24, P25). */
export function signFormToken(secret: string, now: Date, idempotencyKey: string = randomUUID()): string {
  const body = `${now.getTime()}.${idempotencyKey}`;
  return `${body}.${signature(secret, body)}`;
}

/**
 * Checks a form's token: refuses a wrong signature, a form sent faster than a person can type, and one older than a
 * day. A time stamp that is not a whole number counts as forged. One ahead of our clock is of before the clock was put
 * back, and taken.
 */
export function readFormToken(secret: string, now: Date, token: string): FormToken {
  const [time = '', idempotencyKey = '', given = '', ...more] = token.split('.');
  const [wanted, compared] = [Buffer.from(signature(secret, `${time}.${idempotencyKey}`)), Buffer.from(given)];
  // Bytes, not characters: timingSafeEqual throws when the lengths in bytes differ.
  const same = more.length === 0 && compared.length === wanted.length && timingSafeEqual(compared, wanted);
  const age = now.getTime() - Number(time);
  if (!same || !Number.isSafeInteger(age)) return { ok: false, reason: 'forged' };
  if (age > oldestMs) return { ok: false, reason: 'expired' };
  if (age >= 0 && age < youngestMs) return { ok: false, reason: 'too-fast' };
  return { ok: true, idempotencyKey };
}

function signature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url');
}
