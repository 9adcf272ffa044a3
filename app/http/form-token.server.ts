import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

const youngestMs = 2_000;
const oldestMs = 24 * 60 * 60 * 1000;

export type FormToken = { ok: true; idempotencyKey: string } | { ok: false; reason: 'forged' | 'too-fast' | 'expired' };

/** A hidden field's text: when the form was made, its idempotency key, and a signature over both (P24, P25). */
export function signFormToken(secret: string, now: Date, idempotencyKey: string = randomUUID()): string {
  const body = `${now.getTime()}.${idempotencyKey}`;
  return `${body}.${signature(secret, body)}`;
}

/** Refuses what was not signed here, what no person types that fast, and what is older than a day. */
export function readFormToken(secret: string, now: Date, token: string): FormToken {
  const [time = '', idempotencyKey = '', given = ''] = token.split('.');
  const wanted = signature(secret, `${time}.${idempotencyKey}`);
  const same = given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
  if (!same) return { ok: false, reason: 'forged' };
  const age = now.getTime() - Number(time);
  if (age > oldestMs) return { ok: false, reason: 'expired' };
  if (age < youngestMs) return { ok: false, reason: 'too-fast' };
  return { ok: true, idempotencyKey };
}

function signature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url');
}
