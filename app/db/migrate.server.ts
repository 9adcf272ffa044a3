import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { projectRoot } from '#app/env.server.ts';
import type { Db } from './client.server.ts';
import { lockNumbers } from './lock-numbers.ts';
import { isOutsideTransaction, phaseOf } from './migration-phases.ts';

export const migrationsFolder = path.join(projectRoot, 'db/migrations');

/**
 * How often a file is tried that waits too long for a lock, and the milliseconds between: two and a half minutes in
 * all.
 */
const mostTries = 75;
const pauseMs = 1_000;

/**
 * Applies the pending SQL files of a folder in order; programs that start at once take turns. Returns the names applied
 * now. Each file with a phase (P93) has its own transaction, all older files share one. A file that would make the
 * program in service wait for more than a second gives up and is tried again. Throws with the file's name when one
 * fails; it is rolled back then, and those before it stay.
 */
export async function migrate(db: Db, folder = migrationsFolder): Promise<string[]> {
  const files = await readMigrations(folder);
  return db.connection().execute(async (connection) => {
    // Asks repeatedly: an index that is built concurrently would wait for a program that waits for the lock.
    while (!(await tookTurn(connection))) await sleep(100);
    try {
      const applied: string[] = [];
      for (const file of await pendingSteps(connection, files)) applied.push(...(await apply(connection, files, file)));
      return applied;
    } finally {
      // If this fails, so did the work before; the lock ends with the connection.
      await sql`select pg_advisory_unlock(${lockNumbers.migrations})`.execute(connection).catch(() => undefined);
    }
  });
}

type File = { name: string; text: string; phase: ReturnType<typeof phaseOf>; outside: boolean };

async function readMigrations(folder: string): Promise<File[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8');
      return { name: file.replace(/\.sql$/, ''), text, phase: phaseOf(text), outside: isOutsideTransaction(text) };
    }),
  );
}

async function tookTurn(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ took: boolean }>`select pg_try_advisory_lock(${lockNumbers.migrations}) as took`.execute(
    connection,
  );
  return rows[0]?.took ?? false;
}

/**
 * The last file of each step that is to be applied. The database may also have files that only a later release knows:
 * this release runs on its tables.
 */
async function pendingSteps(connection: Db, files: readonly File[]): Promise<File[]> {
  const known = await migratorOf(connection, files).getMigrations();
  const done = new Set(known.flatMap(({ name, executedAt }) => (executedAt ? [name] : [])));
  const pending = files.filter(({ name }) => !done.has(name));
  // Nobody uses an empty database yet, so its files need not be short steps.
  const alone = ({ phase, outside }: File) => (done.size === 0 ? outside : phase !== null);
  return pending.filter((file, at) => {
    const next = pending[at + 1];
    return alone(file) || !next || alone(next);
  });
}

async function apply(connection: Db, files: readonly File[], last: File): Promise<string[]> {
  const migrator = migratorOf(connection, files);
  if (last.outside) await dropUnfinishedIndexes(connection);
  for (let tries = 1; ; tries += 1) {
    const { error, results = [] } = await migrator.migrateTo(last.name, { disableTransactions: last.outside });
    if (!error) return results.map(({ migrationName }) => migrationName);
    if (!isLockTimeout(error) || tries === mostTries) {
      const failed = results.find(({ status }) => status === 'Error')?.migrationName ?? '';
      throw new Error(`Migration ${failed} failed`, { cause: error });
    }
    await sleep(pauseMs);
  }
}

function migratorOf(connection: Db, files: readonly File[]): Migrator {
  const migrations = files.map(({ name, text, phase, outside }) => {
    // A backfill waits for writers of its rows; starting again would be worse.
    const limit = !outside && (phase === 'expand' || phase === 'contract') ? "set local lock_timeout = '1s';\n" : '';
    return [name, { up: async (db: Db) => void (await sql.raw(limit + text).execute(db)) }] as const;
  });
  return new Migrator({ db: connection, provider: { getMigrations: async () => Object.fromEntries(migrations) } });
}

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03';

/** PostgreSQL never uses an index whose building was interrupted, and the new index needs its name. */
async function dropUnfinishedIndexes(connection: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`select indexrelid::regclass::text as name from pg_index
    join pg_class on pg_class.oid = indrelid
    where not indisvalid and relnamespace = 'public'::regnamespace`.execute(connection);
  for (const { name } of rows) await sql.raw(`drop index concurrently ${name}`).execute(connection);
}
