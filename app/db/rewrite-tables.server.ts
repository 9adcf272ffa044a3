import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { academyZone } from '#app/lib/academy-day.ts';
import { monthsBefore } from '#app/lib/dates.ts';
import type { Db } from './client.server.ts';

/** The samples of values that the planner keeps of every table. */
const statistics = 'pg_statistic';
const pauseMs = 100;
const [tookTooLong, lockNotGiven] = ['57014', '55P03'];

/** How long to wait for the lock on a table and how long to hold it, in milliseconds; 0 is without limit. */
type Hold = { lockMs: number; statementMs: number };

/**
 * At night. Others wait for a table for at most both times together. A table that needs longer stays as it was.
 */
export const nightHold: Hold = { lockMs: 50, statementMs: 150 };
/** While no other program is connected. */
const aloneHold: Hold = { lockMs: 1_000, statementMs: 60_000 };
/** At the request of the person who runs the server. */
export const wholeHold: Hold = { lockMs: 0, statementMs: 0 };

/**
 * Records in the caller's transaction that rows of tables were erased. PostgreSQL leaves deleted rows in the file: only
 * a rewritten table is free of them.
 */
export async function noteErased(trx: Db, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  await trx
    .insertInto('tables_to_rewrite')
    // In one order, so that two who erase do not wait for each other.
    .values([...new Set([...tables, statistics])].sort().map((name) => ({ name })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ times: sql`tables_to_rewrite.times + 1` }))
    .execute();
}

/** The tables whose files may still hold erased rows, and since when. */
export function readErased(db: Db) {
  return db.selectFrom('tables_to_rewrite').select(['name', 'since']).orderBy('name').execute();
}

/**
 * Rewrites the tables with erased rows, each within the limits of `hold`, with their statistics. Rows that older
 * statements could still read would be copied too, so it waits for their end first, for `patienceMs` at most. Returns
 * how many tables were rewritten; the others stay recorded.
 */
export async function rewriteErased(db: Db, hold: Hold, patienceMs = 10_000): Promise<number> {
  const waiting = await db.selectFrom('tables_to_rewrite').select(['name', 'times']).execute();
  if (waiting.length === 0) return 0;
  return db.connection().execute(async (connection) => {
    if (!(await olderReadersGone(connection, patienceMs))) return 0;
    const tables = waiting.filter(({ name }) => name !== statistics);
    const names = tables.map(({ name }) => name);
    let written = 0;
    try {
      await clearStatistics(connection, names);
      for (const table of tables) if (await rewrite(connection, table, hold)) written += 1;
      // Last, when the samples of the others have been replaced and nobody reads the former ones.
      const samples = waiting.find(({ name }) => name === statistics);
      if (samples && written === tables.length && (await olderReadersGone(connection, patienceMs))) {
        if (await rewrite(connection, samples, hold)) written += 1;
      }
    } finally {
      await sql`reset lock_timeout`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
    }
    return written;
  });
}

/** The same as `rewriteErased`, at once, if no other program is connected to the database; otherwise does nothing. */
export async function rewriteErasedIfAlone(db: Db, patienceMs?: number): Promise<number> {
  const { rows } = await sql<{ alone: boolean }>`
    select not exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and application_name <> current_setting('application_name')
    ) as alone`.execute(db);
  return rows[0]?.alone ? rewriteErased(db, aloneHold, patienceMs) : 0;
}

/**
 * The periodic job: the same as `rewriteErased`, in the hours with the fewest visitors, 2 to 5 am in Brisbane. Writes
 * to a table wait for 200 ms at most. Returns how many tables it rewrote, and those that have waited for a month: the
 * person who runs the server has to restart the program. `at` is the true time.
 */
export async function rewriteErasedAtNight(db: Db, at: Date): Promise<{ written: number; overdue: string[] }> {
  const hour = Number(brisbaneHour.format(at));
  if (hour < 2 || hour >= 5) return { written: 0, overdue: [] };
  const written = await rewriteErased(db, nightHold);
  const overdue = (await readErased(db)).filter(({ since }) => since < monthsBefore(at, 1));
  return { written, overdue: overdue.map(({ name }) => name) };
}

const brisbaneHour = new Intl.DateTimeFormat('en-AU', {
  timeZone: academyZone,
  hour: 'numeric',
  hourCycle: 'h23',
});

/** Rewrites a table and gathers its statistics; false when others would have waited or it is not allowed. */
async function rewrite(connection: Db, { name, times }: { name: string; times: number }, hold: Hold): Promise<boolean> {
  const former = await fileOf(connection, name);
  try {
    await limit(connection, hold);
    await sql`vacuum full ${sql.table(name)}`.execute(connection);
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code === tookTooLong || code === lockNotGiven) return false;
    throw error;
  } finally {
    await limit(connection, wholeHold);
  }
  // A role without the right gets a warning and no error.
  if ((await fileOf(connection, name)) === former) return false;
  // This keeps nobody waiting.
  if (name !== statistics) await sql`analyze ${sql.table(name)}`.execute(connection);
  await connection.deleteFrom('tables_to_rewrite').where('name', '=', name).where('times', '=', times).execute();
  return true;
}

async function fileOf(connection: Db, name: string): Promise<number | undefined> {
  const { rows } = await sql<{ file: number }>`select pg_relation_filenode(${name}::regclass) as file`.execute(
    connection,
  );
  return rows[0]?.file;
}

async function limit(connection: Db, { lockMs, statementMs }: Hold): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockMs)}, false),
    set_config('statement_timeout', ${String(statementMs)}, false)`.execute(connection);
}

/** Waits until no transaction can read the rows deleted so far; false if that did not happen in time. */
async function olderReadersGone(connection: Db, patienceMs: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(connection);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (!(await hasOlderReader(connection, rows[0]?.id ?? '0'))) return true;
    if (performance.now() >= deadline) return false;
    await sleep(pauseMs);
  }
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
