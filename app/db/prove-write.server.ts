import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './client.server.ts';
import { databaseTrouble } from './connection-failure.server.ts';

export type WriteProof = { ok: true } | { ok: false; reason: 'not reachable' | 'read-only' | 'out of disk' };

const diskFull = '53100';
const readOnly = '25006';
const refuseReadOnly = `do $$ begin
  if current_setting('transaction_read_only')::boolean then raise 'read-only' using errcode = '${readOnly}'; end if;
end $$`;
// Half a megabyte of numbers: more than the smallest work_mem, so that the query needs a temporary file.
const rows = 20_000;

/**
 * Checks that the database can write, in a few milliseconds and without growing it: the query needs disk space for a
 * temporary file of half a megabyte, which is deleted when it ends, and commits an empty message to the write-ahead
 * log, which reaches the disk like any other commit. A database that is busy with others can write.
 */
export async function proveWrite(db: Db): Promise<WriteProof> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`set local work_mem = '64kB'`.execute(trx);
      // As an error, so that the pool leaves such a server (P91).
      await sql.raw(refuseReadOnly).execute(trx);
      await sql`select count(*) from generate_series(1, ${sql.lit(rows)})`.execute(trx);
      await sql`select pg_logical_emit_message(true, 'bowerbird', ''::text)`.execute(trx);
      return { ok: true };
    });
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === diskFull) return { ok: false, reason: 'out of disk' };
    if (code === readOnly) return { ok: false, reason: 'read-only' };
    if (databaseTrouble(error) === 'busy') return { ok: true };
    return { ok: false, reason: 'not reachable' };
  }
}
