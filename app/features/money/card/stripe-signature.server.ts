import { createHmac, timingSafeEqual } from 'node:crypto';

/** For how long a signature holds, either way: as in Stripe's own libraries. */
const toleranceSeconds = 300;

/**
 * Whether Stripe signed a webhook's body: the field `Stripe-Signature` holds `t=` (seconds) and one or several `v1=`,
 * the HMAC-SHA256 of `t.body` in hexadecimal (https://docs.stripe.com/webhooks/signature).
 */
export function isSigned(body: string, field: string | null, secret: string, at: Date): boolean {
  const parts = (field ?? '').split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time) || Math.abs(at.getTime() / 1000 - Number(time)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
