import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Stamp } from './write-revisions.server.ts';

/**
 * Says for the rest of the transaction who changes prices of courses, when and why. The ledger of prices follows every
 * change by a trigger (P76); without this it says that the change was found.
 */
export async function stampPrices(trx: Db, { author, at, note }: Stamp): Promise<void> {
  const who = typeof author === 'object' ? { author: 'person', person: author.person } : { author };
  await sql`select set_config('academy.price_stamp', ${JSON.stringify({ ...who, at, note })}, true)`.execute(trx);
}
