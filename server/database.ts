import { createDb, type Db } from '#app/db/client.server.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import type { Settings } from '#app/env.server.ts';

export type Database = {
  db: Db;
  connection: Parameters<typeof createDb>[0];
  /** Null when DATABASE_URL names a server of its own. */
  embedded: EmbeddedPostgres | null;
  /** Where its data lies, for people; never a password. */
  place: string;
  migrated: string[];
  close(): Promise<void>;
};

/** Opens the database the settings name, or the embedded one, and brings it to the newest migration. */
export async function openDatabase(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  progress: (line: string) => void,
  onLost: (error: Error) => void = () => undefined,
  queryTimeoutMs = 0,
): Promise<Database> {
  const embedded = settings.databaseUrl ? null : await openEmbeddedPostgres(settings.dataDir, progress);
  const connection = embedded?.connection ?? { connectionString: settings.databaseUrl ?? '' };
  const db = createDb(connection, onLost, queryTimeoutMs);
  const close = async () => {
    await db.destroy();
    await embedded?.release();
  };
  try {
    const migrated = await migrate(db);
    if (migrated.length > 0) progress(`Migrated the database: ${migrated.join(', ')}`);
    return { db, connection, embedded, place: embedded?.folder ?? hostOf(settings.databaseUrl ?? ''), migrated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
