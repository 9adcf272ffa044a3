import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#app/db/client.server.ts';

/**
 * Makes a further private link to a booking and returns its token: 192 random bits in hexadecimal, because addresses are
 * in lower case. Only its hash is stored.
 */
export async function makeLinkToken(trx: Db, bookingId: number): Promise<string> {
  const token = randomBytes(24).toString('hex');
  await trx
    .insertInto('booking_links')
    .values({ token_hash: hashOfToken(token), booking_id: bookingId })
    .execute();
  return token;
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
