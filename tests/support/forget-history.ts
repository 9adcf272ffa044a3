import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** Empties the history of what staff did, which only its owner can, without its triggers. */
export async function forgetHistory(owner: Db): Promise<void> {
  await owner.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await trx.deleteFrom('audit_changes').execute();
    await trx.deleteFrom('audit_entries').execute();
  });
}
