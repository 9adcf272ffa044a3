import path from 'node:path';
import pg from 'pg';
import { folderFault } from './data-folder.server.ts';
import { EmbeddedCluster, isPassing } from './embedded-cluster.server.ts';
import { type EmbeddedHome, prepareHome } from './embedded-home.server.ts';
import { lockNumbers } from './lock-numbers.ts';

type Connection = { host: string; user: string; password: string; database: string };

export type EmbeddedPostgres = {
  /** As the role of the program, which owns nothing. */
  connection: Connection;
  /** As the owner, for migrations. */
  owner: Connection;
  /** The folder of its data, for display. */
  folder: string;
  home: EmbeddedHome;
  /** Starts it again should it have died; cheap while it lives. */
  ensureRunning(): Promise<void>;
  /** Disconnects from it, and stops it when no other program uses it. */
  release(): Promise<void>;
};

const patienceMs = 60_000;
const attempts = 5;

/** Where the server hands over its log. */
export const archiveFolder = ({ folder }: EmbeddedHome) => path.join(folder, 'archive');

/**
 * Starts the program's own PostgreSQL 18 in `dataDir`, or joins the one already running there, from whatever PID
 * namespace. It listens on a Unix socket only, in a folder no other user can enter, and asks for a generated password.
 * Throws a one-line message when the folder cannot be used, or when its server can neither be reached nor is known to
 * have ended within `options.patienceMs` (a minute). With `options.archives` a server that it starts hands over its log
 * in `archiveFolder`, from where a backup has to take it.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  progress: (line: string) => void,
  options: { patienceMs?: number; archives?: boolean } = {},
): Promise<EmbeddedPostgres> {
  const home = await prepareHome(dataDir).catch((error) => {
    const fault = folderFault(dataDir, error);
    throw fault ? new Error(fault) : error;
  });
  const archive = options.archives ? archiveFolder(home) : null;
  const cluster = new EmbeddedCluster(home, options.patienceMs ?? patienceMs, archive);
  let presence: pg.Client | null = null;

  async function enter(): Promise<pg.Client> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await cluster.ensureRunning(progress);
      const client = await join(cluster);
      if (client) {
        presence = client;
        client.on('end', () => {
          if (presence === client) presence = null;
        });
        return client;
      }
      // The server that was found was being stopped by its last user.
    }
    throw new Error(`The database under ${home.folder} does not accept connections.`);
  }

  const owner = await enter();
  try {
    await cluster.makeProgramRole(owner);
  } catch (error) {
    await leave(cluster, owner);
    throw error;
  }
  let entering: Promise<unknown> | null = null;
  return {
    connection: cluster.programConnection(),
    owner: cluster.ownerConnection(),
    folder: home.folder,
    home,
    async ensureRunning() {
      if (presence) return;
      entering ??= enter().finally(() => {
        entering = null;
      });
      await entering;
    },
    async release() {
      // Otherwise a start in progress would leave its server running.
      await entering?.catch(() => undefined);
      const client = presence ?? (await join(cluster).catch(() => null));
      presence = null;
      if (client) await leave(cluster, client);
    },
  };
}

/** A connection whose shared lock marks the server as in use; null when the server is shutting down. */
async function join(cluster: EmbeddedCluster): Promise<pg.Client | null> {
  const client = await cluster.connect('postgres');
  if (!(client instanceof pg.Client)) return null;
  try {
    await client.query('select pg_advisory_lock_shared($1)', [lockNumbers.serverUsers]);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (isPassing(error) || !(error instanceof pg.DatabaseError)) return null;
    throw error;
  }
}

/** Releases our shared lock; if nobody else holds one, stops the server under the exclusive lock. */
async function leave(cluster: EmbeddedCluster, client: pg.Client): Promise<void> {
  let alone = false;
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [lockNumbers.serverUsers]);
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [lockNumbers.serverUsers]);
    alone = rows[0]?.alone === true;
  } catch {
    // The server has ended by itself, which released our lock.
  }
  try {
    if (alone) await cluster.stop();
  } finally {
    await client.end().catch(() => undefined);
  }
}
