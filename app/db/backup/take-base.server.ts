import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lockNumbers } from '#app/db/lock-numbers.ts';
import type { ClusterBackups } from './cluster-backups.server.ts';
import { type Base, isLogFile } from './plan.ts';
import { BackupFault, type BackupStore } from './store.server.ts';

type Connection = { host: string; user: string; password: string; database: string };

/** Of the disk of the backups, and of a database's size when nothing is known of how far it can be compressed. */
const [freeBytes, firstShare] = [512 * 2 ** 20, 0.4];
const dayOfLogBytes = 64 * 2 ** 20;
const [pollMs, handedOverMs] = [250, 60_000];

/** Moves the files of the log that PostgreSQL has handed over into the backup, the oldest first. Returns how many. */
export async function keepLog(spool: string, backups: ClusterBackups): Promise<number> {
  const names = await handedOver(spool);
  for (const name of names) await backups.takeLogFile(path.join(spool, name));
  return names.length;
}

const handedOver = async (spool: string) => (await readdir(spool).catch(() => [])).filter(isLogFile).sort();

/** When PostgreSQL handed over the oldest file of the log that is not in the backup yet; null when all are. */
export async function waitingSince(spool: string): Promise<Date | null> {
  const [oldest] = await handedOver(spool);
  return oldest === undefined
    ? null
    : stat(path.join(spool, oldest)).then(
        ({ mtime }) => mtime,
        () => null,
      );
}

/**
 * Has the server hand over what it wrote, unless it has lately. Its own `archive_timeout` does nothing in the first five
 * minutes after a start.
 */
export async function handOver(owner: Connection): Promise<void> {
  await withClient({ ...owner }, (client) =>
    client.query(`select pg_switch_wal() from pg_stat_archiver
      where last_archived_time is null or last_archived_time < now() - interval '25 seconds'`),
  );
}

/** The number that PostgreSQL gives the cluster, and whether its server hands over its log. */
export async function readCluster(
  owner: Connection,
): Promise<{ systemId: string; timeline: number; archives: boolean }> {
  return withClient({ ...owner }, async (client) => {
    const { rows } = await client.query(`select system_identifier::text as id, timeline_id as timeline,
      current_setting('archive_mode') <> 'off' as archives from pg_control_system(), pg_control_checkpoint()`);
    return { systemId: String(rows[0]?.id), timeline: Number(rows[0]?.timeline), archives: rows[0]?.archives === true };
  });
}

/** Throws a `BackupFault` when the disk of a folder has no room for another copy of the whole database. */
export async function requireRoomForCopy(owner: Connection, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  requireFree(folder, bavail * bsize, await withClient({ ...owner }, databaseBytes));
}

/** Why PostgreSQL cannot hand over its log; null while it can. */
export async function archiveFault(owner: Connection): Promise<string | null> {
  return withClient({ ...owner }, async (client) => {
    const { rows } = await client.query(`select last_failed_wal as file from pg_stat_archiver
      where last_failed_time > coalesce(last_archived_time, '-infinity') and last_failed_time > now() - interval '1 hour'`);
    return rows[0] ? `PostgreSQL cannot hand over ${rows[0].file}: see its server.log` : null;
  });
}

/**
 * Copies all files of the running cluster into the backup, as its server sends them, with the log that belongs to
 * them. Its server checks each page that it reads. Throws a `BackupFault` when there is no room.
 */
export async function takeBase(
  owner: Connection,
  { spool, backups, signal, now }: { spool: string; backups: ClusterBackups; signal: AbortSignal; now: () => Date },
): Promise<Base> {
  return withClient({ ...owner }, async (client) => {
    await requireRoom(client, backups);
    const startedAt = now();
    const sent = await sendBase(owner, signal);
    try {
      const segment = async (lsn: string) =>
        (await client.query('select pg_walfile_name($1) as name', [lsn])).rows[0].name;
      const { rows } = await client.query(
        `select setting::bigint as bytes from pg_settings where name = 'wal_segment_size'`,
      );
      const base = {
        name: startedAt.toISOString().replace(/:|\.\d+/g, (part) => (part === ':' ? '-' : '')),
        startedAt,
        timeline: sent.timeline,
        firstSegment: String(await segment(sent.start)),
        segmentBytes: Number(rows[0].bytes),
      };
      return await backups.writeBase(base, sent.files, async () => {
        const lastSegment = String(await segment(await sent.end()));
        const endedAt = now();
        await client.query('select pg_switch_wal()');
        await waitForLog(lastSegment, spool, backups);
        return { endedAt, lastSegment };
      });
    } finally {
      await sent.close();
    }
  });
}

/** Waits until a segment of the log and all before it are in the backup. */
async function waitForLog(segment: string, spool: string, backups: ClusterBackups): Promise<void> {
  const deadline = performance.now() + handedOverMs;
  for (;;) {
    await keepLog(spool, backups);
    if (await backups.hasLog(segment)) return;
    if (performance.now() > deadline) throw new BackupFault('PostgreSQL has not handed over its log for a minute.');
    await sleep(pollMs);
  }
}

async function databaseBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select sum(pg_database_size(oid))::float8 as bytes from pg_database');
  return Number(rows[0]?.bytes);
}

/** A full disk would stop the academy. */
async function requireRoom(client: pg.Client, backups: ClusterBackups): Promise<void> {
  const free = await backups.store.freeBytes();
  if (free === null) return;
  const last = (await backups.bases()).toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime())[0];
  requireFree(backups.store.place, free, last ? last.bytes * 1.5 : (await databaseBytes(client)) * firstShare);
}

/** What is wrong when the disk of the backups has no room for another day of log; null while it has. */
export async function fullDisk(store: BackupStore): Promise<string | null> {
  const free = await store.freeBytes().catch(() => null);
  return free !== null && free < dayOfLogBytes ? `There is no room for backups in ${store.place}.` : null;
}

/** Throws a `BackupFault` when so many bytes would leave little room on the disk of a folder. */
function requireFree(folder: string, free: number, bytes: number): void {
  const needed = bytes + freeBytes;
  if (free < needed)
    throw new BackupFault(
      `There is no room in ${folder}: ${inMegabytes(needed)} are needed, ${inMegabytes(free)} are free.`,
    );
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-AU')} MB`;

/** Does one thing about backups at a time, over all programs on a cluster; null when another is being done. */
export async function alone<T>(owner: Connection, work: () => Promise<T>): Promise<T | null> {
  return withClient({ ...owner }, async (client) => {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockNumbers.backups]);
    return rows[0]?.taken === true ? work() : null;
  });
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...config, application_name: 'bowerbird backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Sent = {
  start: string;
  timeline: number;
  /** A tar archive. */
  files: Readable;
  /** Where in the log the base ends, once all of it was read. */
  end(): Promise<string>;
  close(): Promise<void>;
};

/** What node-postgres hands on while an answer comes in. */
type Incoming = { fields: (string | null)[] };
type Wire = { query(text: string): void; stream: { pause(): void; resume(): void } };

const command = `BASE_BACKUP (LABEL 'bowerbird', CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no')`;
const endOfTar = Buffer.alloc(1024);

/** Asks the server for its files by the replication protocol, as pg_basebackup does. */
async function sendBase(owner: Connection, signal: AbortSignal): Promise<Sent> {
  const config = { ...owner, replication: 'database', application_name: 'bowerbird backup' };
  const client = new pg.Client(config);
  await client.connect();
  const positions: (string | null)[][] = [];
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let wire: Wire | null = null;
  const files = new Readable({ read: () => wire?.stream.resume() });
  const fail = (error: Error) => {
    started.reject(error);
    ended.reject(error);
    files.destroy(error);
  };
  ended.promise.catch(() => undefined);
  client.on('error', fail);
  const stop = () => {
    fail(new BackupFault('The backup was stopped, because the program ends.'));
    void client.end();
  };
  signal.addEventListener('abort', stop, { once: true });
  client.query({
    submit(connection: unknown) {
      wire = connection as Wire;
      wire.query(command);
    },
    handleRowDescription: () => undefined,
    handleDataRow({ fields }: Incoming) {
      positions.push(fields);
    },
    handleCommandComplete: () => undefined,
    handleCopyData({ chunk }: { chunk: Buffer }) {
      started.resolve();
      // `d` is a piece of the archive; the others name it and count.
      if (chunk[0] === 0x64 && !files.push(Buffer.from(chunk.subarray(1)))) wire?.stream.pause();
    },
    handleError: fail,
    handleReadyForQuery() {
      files.push(endOfTar);
      files.push(null);
      ended.resolve();
    },
  } as pg.Submittable);
  await started.promise;
  const [start = '', timeline] = positions[0] ?? [];
  return {
    start: start ?? '',
    timeline: Number(timeline),
    files,
    async end() {
      await ended.promise;
      return positions.at(-1)?.[0] ?? '';
    },
    async close() {
      signal.removeEventListener('abort', stop);
      await client.end().catch(() => undefined);
    },
  };
}
