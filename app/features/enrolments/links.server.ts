import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#app/db/client.server.ts';

/**
 * Makes a further private link (P32) and returns its token: 192 random bits in hexadecimal, because addresses are in
 * lower case. Only its hash is stored. Without an attendee it is the buyer's.
 */
export async function makeLinkToken(trx: Db, enrolmentId: number, attendeeId: number | null = null): Promise<string> {
  const token = randomBytes(24).toString('hex');
  await trx
    .insertInto('enrolment_links')
    .values({ token_hash: hashOfToken(token), enrolment_id: enrolmentId, attendee_id: attendeeId })
    .execute();
  return token;
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Whose link a token is: the buyer's when `attendeeId` is null. Null when there is none. */
export async function findLink(
  db: Db,
  token: string,
): Promise<{ enrolmentId: number; attendeeId: number | null } | null> {
  const row = await db
    .selectFrom('enrolment_links')
    .select(['enrolment_id as enrolmentId', 'attendee_id as attendeeId'])
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  return row ?? null;
}
