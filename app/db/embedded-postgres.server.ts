import pg from 'pg';
import { folderFault } from './data-folder.server.ts';
import { EmbeddedCluster, isPassing } from './embedded-cluster.server.ts';
import { prepareHome } from './embedded-home.server.ts';

export type EmbeddedPostgres = {
  connection: { host: string; user: string; password: string; database: string };
  /** Where its data lies, for people. */
  folder: string;
  /** Starts it again should it have died; cheap while it lives. */
  ensureRunning(): Promise<void>;
  /** Leaves it, and stops it when no other program uses it. */
  release(): Promise<void>;
};

// Any constant of ours: every program using the server holds this advisory lock shared.
const usersLock = 0xb0b1;
const patienceMs = 60_000;
const attempts = 5;

/**
 * Starts the program's own PostgreSQL 18 in `dataDir`, or joins the one already running there, from whatever PID
 * namespace. It listens on a Unix socket only, in a folder no other user can enter, and asks for a generated password.
 * Throws one line in words when the folder cannot be used, or when its server can neither be reached nor is known to
 * have ended within `options.patienceMs` (a minute).
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  progress: (line: string) => void,
  options: { patienceMs?: number } = {},
): Promise<EmbeddedPostgres> {
  const home = await prepareHome(dataDir).catch((error) => {
    const fault = folderFault(dataDir, error);
    throw fault ? new Error(fault) : error;
  });
  const cluster = new EmbeddedCluster(home, options.patienceMs ?? patienceMs);
  let presence: pg.Client | null = null;

  async function enter(): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await cluster.ensureRunning(progress);
      const client = await join(cluster);
      if (client) {
        presence = client;
        client.on('end', () => {
          if (presence === client) presence = null;
        });
        return;
      }
      // It was found while its last user was stopping it.
    }
    throw new Error(`The database under ${home.folder} does not accept connections.`);
  }

  await enter();
  let entering: Promise<unknown> | null = null;
  return {
    connection: cluster.connection(),
    folder: home.folder,
    async ensureRunning() {
      if (presence) return;
      entering ??= enter().finally(() => {
        entering = null;
      });
      await entering;
    },
    async release() {
      // Else a start that is under way would leave its server behind.
      await entering?.catch(() => undefined);
      const client = presence ?? (await join(cluster).catch(() => null));
      presence = null;
      if (client) await leave(cluster, client);
    },
  };
}

/** A connection, beside the program's own database, whose shared lock says "in use"; null when it is going down. */
async function join(cluster: EmbeddedCluster): Promise<pg.Client | null> {
  const client = await cluster.connect('postgres');
  if (!(client instanceof pg.Client)) return null;
  try {
    await client.query('select pg_advisory_lock_shared($1)', [usersLock]);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (isPassing(error) || !(error instanceof pg.DatabaseError)) return null;
    throw error;
  }
}

/** Gives up our share; when nobody else holds one, stops the server, and lets nobody in until it is down. */
async function leave(cluster: EmbeddedCluster, client: pg.Client): Promise<void> {
  let alone = false;
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [usersLock]);
    alone = rows[0]?.alone === true;
  } catch {
    // It went down by itself, and with it our share.
  }
  try {
    if (alone) await cluster.stop();
  } finally {
    await client.end().catch(() => undefined);
  }
}
