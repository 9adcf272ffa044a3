import { randomBytes } from 'node:crypto';
import type { Db } from '#app/db/client.server.ts';
import { hashOfToken } from '#app/features/enrolments/links.server.ts';

/** Makes a further private link to an entry and returns its token, as enrolments do. Only its hash is stored. */
export async function makeWaitingToken(trx: Db, entryId: number): Promise<string> {
  const token = randomBytes(24).toString('hex');
  await trx
    .insertInto('waiting_links')
    .values({ token_hash: hashOfToken(token), entry_id: entryId })
    .execute();
  return token;
}
