import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The token of a private link (P32): 192 random bits in hexadecimal, because addresses are in lower case. */
export const makeToken = (): string => randomBytes(24).toString('hex');

/** The stored hash of a token, so that a reader of the database cannot open the link. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Compares two secret texts in a time that says nothing about where they differ. */
export function isSameSecret(stored: string, given: string): boolean {
  const [left, right] = [Buffer.from(stored), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
