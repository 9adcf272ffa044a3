import { createHmac, timingSafeEqual } from 'node:crypto';

const validForMs = 30 * 60 * 1000;

/**
 * Proves for 30 minutes that the person who opens the page of a reference has just sent the form: its end (milliseconds
 * since 1970) and a signature over that and the reference. It is part of the address after the form, because a
 * reference alone could be guessed, and the site sets no cookies for this.
 */
export function signSenderProof(secret: string, reference: string, now: Date): string {
  const endsAt = String(now.getTime() + validForMs);
  return `${endsAt}.${signature(secret, reference, endsAt)}`;
}

/** Whether the proof was signed here for this reference and has not ended. */
export function isSenderProof(secret: string, reference: string, now: Date, proof: string | null): boolean {
  const [endsAt = '', given = '', ...more] = proof?.split('.') ?? [];
  const [wanted, compared] = [Buffer.from(signature(secret, reference, endsAt)), Buffer.from(given)];
  // Bytes, not characters: timingSafeEqual throws when the lengths in bytes differ.
  const same = more.length === 0 && compared.length === wanted.length && timingSafeEqual(compared, wanted);
  return same && now.getTime() < Number(endsAt);
}

function signature(secret: string, reference: string, endsAt: string): string {
  return createHmac('sha256', secret).update(`sender:${reference}:${endsAt}`).digest('base64url');
}
