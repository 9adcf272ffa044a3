import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Connection, createDb, type Db, type Limits } from '#app/db/client.server.ts';
import { type DatabaseTime, openDatabaseTime } from '#app/db/database-time.server.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import { limitRole, withoutRoleLimits } from '#app/db/pooler.server.ts';
import { grantToProgram } from '#app/db/roles.server.ts';
import type { Settings } from '#app/env.server.ts';
import { migrateQueues } from '#app/outbox/queue.server.ts';

export type Database = {
  db: Db;
  /** A connection of its own, to ask a database whose other connections are all in use. */
  probe: Db;
  /** Past any pooler: for listening, and locks of a session. */
  connection: Connection;
  /** The owner's, as which tables are made and changed; the same as `connection` where there is one role only. */
  owner: Connection;
  /** The true time, as the database has it. */
  time: DatabaseTime;
  /** Null when DATABASE_URL is set. */
  embedded: EmbeddedPostgres | null;
  /** The location of its data, for display; never contains a password. */
  place: string;
  /** Runs work without time limits, such as the filling of the database, on separate connections. */
  withoutLimits<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const partingMs = 5_000;

type DatabaseSettings = Pick<Settings, 'dataDir' | 'databaseUrl'> &
  Partial<Pick<Settings, 'databasePool' | 'poolerUrl' | 'databaseMigrationUrl' | 'backups'>>;

/**
 * Opens the database the settings name, or the embedded one, and applies pending migrations without time limits, as the
 * owner where that is another role than the program's; `limits` apply to later queries on `db`, which go through the
 * pooler where there is one (P90). Throws when the clocks of this computer and the database are more than two minutes apart.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  progress: (line: string) => void,
  onLost: (error: Error) => void = () => undefined,
  limits?: Limits,
): Promise<Database> {
  const archives = Boolean(settings.backups);
  const embedded = settings.databaseUrl ? null : await openEmbeddedPostgres(settings.dataDir, progress, { archives });
  const { databaseMigrationUrl, poolerUrl } = settings;
  const named = (url: string): Connection => ({
    connectionString: url,
    ...(poolerUrl ? { options: withoutRoleLimits } : {}),
  });
  const connection = embedded?.connection ?? named(settings.databaseUrl ?? '');
  const owner = embedded?.owner ?? (databaseMigrationUrl ? named(databaseMigrationUrl) : connection);
  const serving: Connection = poolerUrl && limits ? { connectionString: poolerUrl, pooled: true } : connection;
  const unlimited = async <T>(as: Connection, work: (db: Db) => Promise<T>): Promise<T> => {
    const db = createDb(as, onLost);
    try {
      return await work(db);
    } finally {
      await db.destroy();
    }
  };
  try {
    const migrated = await unlimited(owner, async (db) => {
      const names = await migrate(db);
      await migrateQueues(db);
      if (owner !== connection) await grantToOther(db, await unlimited(connection, whoAsks));
      return names;
    });
    if (migrated.length > 0) progress(`Migrated the database: ${migrated.length} files`);
    const db = createDb(serving, onLost, limits, settings.databasePool);
    const probe = createDb(serving, onLost, limits, 1);
    if (serving.pooled && limits) await limitRole(connection, probe, limits);
    const time = await openDatabaseTime(db);
    const wrongClock = time.fault();
    if (wrongClock) {
      await Promise.all([db.destroy(), probe.destroy()]);
      throw new Error(`${wrongClock}. Set the clock that is wrong, then start again.`);
    }
    const place = embedded?.folder ?? hostOf(settings.databaseUrl ?? '');
    const close = async () => {
      // A database that hangs never confirms that the connection is closed.
      await Promise.race([Promise.all([db.destroy(), probe.destroy()]), sleep(partingMs, undefined, { ref: false })]);
      await embedded?.release();
    };
    return {
      db,
      probe,
      connection,
      owner,
      time,
      embedded,
      place,
      withoutLimits: (work) => unlimited(connection, work),
      close,
    };
  } catch (error) {
    await embedded?.release();
    throw error;
  }
}

type Asking = { role: string; database: string };

async function whoAsks(db: Db): Promise<Asking> {
  const { rows } = await sql<Asking>`select current_user as role, current_database() as database`.execute(db);
  if (!rows[0]) throw new Error('PostgreSQL did not say who is asking.');
  return rows[0];
}

async function grantToOther(owner: Db, program: Asking): Promise<void> {
  const { role, database } = await whoAsks(owner);
  if (database !== program.database)
    throw new Error('DATABASE_URL and DATABASE_MIGRATION_URL name different databases.');
  if (role !== program.role) await grantToProgram(owner, program.role);
}

/** For commands: opens the database without limits, or says in one line why not and exits with 1. */
export async function openDatabaseOrExit(
  settings: DatabaseSettings,
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
