import { setTimeout as sleep } from 'node:timers/promises';
import { createDb, type Db, type Limits } from '#app/db/client.server.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import type { Settings } from '#app/env.server.ts';
import { migrateQueues } from '#app/outbox/queue.server.ts';

export type Database = {
  db: Db;
  /** One connection of its own, by which a database is asked whose other connections are all in use. */
  probe: Db;
  connection: Parameters<typeof createDb>[0];
  /** Null when DATABASE_URL is set. */
  embedded: EmbeddedPostgres | null;
  /** Where its data is stored, for display; never contains a password. */
  place: string;
  /** Runs work without time limits, such as an import, on separate connections. */
  withoutLimits<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const partingMs = 5_000;

/**
 * Opens the database the settings name, or the embedded one, and applies pending migrations without time limits;
 * `limits` apply to later queries on `db`.
 */
export async function openDatabase(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'> & Partial<Pick<Settings, 'databasePool'>>,
  progress: (line: string) => void,
  onLost: (error: Error) => void = () => undefined,
  limits?: Limits,
): Promise<Database> {
  const embedded = settings.databaseUrl ? null : await openEmbeddedPostgres(settings.dataDir, progress);
  const connection = embedded?.connection ?? { connectionString: settings.databaseUrl ?? '' };
  const withoutLimits = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const unlimited = createDb(connection, onLost);
    try {
      return await work(unlimited);
    } finally {
      await unlimited.destroy();
    }
  };
  try {
    const migrated = await withoutLimits(async (db) => {
      const names = await migrate(db);
      await migrateQueues(db);
      return names;
    });
    if (migrated.length > 0) progress(`Migrated the database: ${migrated.join(', ')}`);
    const db = createDb(connection, onLost, limits, settings.databasePool);
    const probe = createDb(connection, onLost, limits, 1);
    const place = embedded?.folder ?? hostOf(settings.databaseUrl ?? '');
    const close = async () => {
      // A database that hangs never confirms that the connection is closed.
      await Promise.race([Promise.all([db.destroy(), probe.destroy()]), sleep(partingMs, undefined, { ref: false })]);
      await embedded?.release();
    };
    return { db, probe, connection, embedded, place, withoutLimits, close };
  } catch (error) {
    await embedded?.release();
    throw error;
  }
}

/** For commands: opens the database without limits, or says in one line why not and exits with 1. */
export async function openDatabaseOrExit(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  progress: (line: string) => void,
): Promise<Database> {
  try {
    return await openDatabase(settings, progress);
  } catch (error) {
    console.error(`Could not open the database: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
