import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from './client.server.ts';

const patienceMs = 10_000;
const pauseMs = 100;

/**
 * Frees tables of what was just deleted from them. PostgreSQL leaves deleted rows in the file; only a table that is
 * written anew is free of them, and its statistics hold samples of the values until they are gathered anew. A row that an older statement may still read, such as one of autovacuum's or of a
 * backup, would be written anew too, so the end of such statements is awaited, at most ten seconds.
 */
export async function rewriteTables(db: Db, tables: readonly string[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    // A large table takes longer than a visitor would wait.
    await sql`set statement_timeout = 0`.execute(connection);
    await olderReadersGone(connection);
    await clearStatistics(connection, tables);
    for (const table of tables) await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(connection);
    // The former samples were replaced only now. Whoever does not own the database gets a warning instead.
    if (tables.length > 0) {
      await olderReadersGone(connection);
      await sql`vacuum full pg_catalog.pg_statistic`.execute(connection);
    }
    await sql`reset statement_timeout`.execute(connection);
  });
}

/** Waits, at most ten seconds, until nobody can read any more what was deleted up to now. */
async function olderReadersGone(connection: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(connection);
  const deadline = performance.now() + patienceMs;
  while ((await hasOlderReader(connection, rows[0]?.id ?? '0')) && performance.now() < deadline) await sleep(pauseMs);
}

/** ANALYZE leaves the samples of a table that has become empty. PostgreSQL can clear them from 18 on. */
async function clearStatistics(connection: Db, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ can: boolean }>`
    select to_regproc('pg_clear_attribute_stats') is not null as can`.execute(connection);
  if (!rows[0]?.can) return;
  // Not from pg_stats: there only an owner sees the samples of an index.
  await sql`
    select pg_clear_attribute_stats(relnamespace::regnamespace::text, relname::text, attname::text, inherited)
    from pg_class join pg_attribute on attrelid = pg_class.oid cross join (values (true), (false)) as of (inherited)
    where attnum > 0 and not attisdropped and (pg_class.oid = any(${tables}::regclass[])
      or pg_class.oid in (select indexrelid from pg_index where indrelid = any(${tables}::regclass[])))`.execute(
    connection,
  );
}

/**
 * Whether a transaction is still open that may see this database as it was at the transaction with this id: an older
 * statement here, or an older write in any database of the server.
 */
async function hasOlderReader(connection: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ older: boolean }>`
    select exists (
      select from pg_stat_activity
      where pid <> pg_backend_pid() and (
        age(backend_xid) >= age(${id}::xid8::xid)
        or (datname = current_database() and age(backend_xmin) >= age(${id}::xid8::xid)))
    ) as older`.execute(connection);
  return rows[0]?.older === true;
}
