import { createHmac, timingSafeEqual } from 'node:crypto';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { stopDates } from './commands.server.ts';

/** The page on which one press ends the emails about a person's wishes (P49, RFC 8058). It holds for ever. */
export async function endMailsLink(db: Db, baseUrl: string, personId: number): Promise<string> {
  return baseUrl + href('/unsubscribe/wishes/:token', { token: await tokenOf(db, personId) });
}

/** The person whose emails a link ends, also after their account was joined with another; null for an unknown token. */
export async function personOfLink(db: Db, token: string): Promise<number | null> {
  const personId = /^[0-9a-f]{48}$/.test(token) ? Number.parseInt(token.slice(0, 16), 16) : 0;
  if (!Number.isSafeInteger(personId) || personId === 0) return null;
  const wanted = Buffer.from(await tokenOf(db, personId));
  if (!timingSafeEqual(wanted, Buffer.from(token))) return null;
  const joined = await db
    .selectFrom('joined_people')
    .select('person_id')
    .where('former_id', '=', personId)
    .executeTakeFirst();
  return joined?.person_id ?? personId;
}

/** Ends the emails about all wishes of the person who got the link; false when it is not ours. */
export async function endMails(db: Db, token: string, now: Date): Promise<boolean> {
  const personId = await personOfLink(db, token);
  if (personId === null) return false;
  await db.transaction().execute((trx) => stopDates(trx, { personId }, now));
  return true;
}

/** The person's id and a signature over it, in hexadecimal: paths are lower case here. */
async function tokenOf(db: Db, personId: number): Promise<string> {
  const key = await programSecret(db, 'mail-address');
  const signature = createHmac('sha256', key).update(`wishes:${personId}`).digest('hex');
  return personId.toString(16).padStart(16, '0') + signature.slice(0, 32);
}
