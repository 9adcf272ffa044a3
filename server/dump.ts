import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { openStore } from '#app/db/backup/open-store.server.ts';
import { endings, getFileOfBackup, putFileOfBackup, withoutEnding } from '#app/db/backup/sealed-files.server.ts';
import { BackupFault, type BackupSettings } from '#app/db/backup/store.server.ts';

/** Backups of a database that DATABASE_URL names, by PostgreSQL's own tools on this computer. */

const folder = 'dumps';
const dumpName = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.dump$/;

/** Writes a dump, and returns its file and its size in bytes. Throws a `BackupFault` when pg_dump cannot. */
export async function takeDump(
  url: string,
  settings: BackupSettings,
  now: Date,
): Promise<{ file: string; bytes: number }> {
  const store = await openStore(settings);
  const name = `${folder}/${now.toISOString().replaceAll(':', '-').replace(/\.\d+/, '')}.dump`;
  // Compressed once, by us.
  const tool = run('pg_dump', ['--format=custom', '--compress=0'], url);
  const [bytes] = await Promise.all([putFileOfBackup({ store, name, key: settings.key }, tool.output), tool.ended]);
  return { file: `${store.place}/${name}${endings[settings.key ? 1 : 0]}`, bytes };
}

/** The newest dump until a moment, or of all; null when there is none. */
export async function findDump(settings: BackupSettings, to: Date | null): Promise<{ name: string; at: Date } | null> {
  const files = await (await openStore(settings)).list(folder);
  const dumps = files.flatMap(({ file }) => {
    const [, day, hour, minute, second] = dumpName.exec(withoutEnding(file)) ?? [];
    const name = `${folder}/${withoutEnding(file)}`;
    return day ? { name, at: new Date(`${day}T${hour}:${minute}:${second}Z`) } : [];
  });
  return (
    dumps.filter(({ at }) => to === null || at <= to).toSorted((a, b) => b.at.getTime() - a.at.getTime())[0] ?? null
  );
}

/** Restores a dump into an empty database, as the role of the address. Throws a `BackupFault` when pg_restore cannot. */
export async function restoreDump(url: string, settings: BackupSettings, name: string): Promise<void> {
  const dump = await getFileOfBackup(await openStore(settings), name, settings.key);
  if (!dump) throw new BackupFault(`${name} is missing.`);
  const options = ['--exit-on-error', '--no-owner', '--no-acl', '--single-transaction', '--dbname', databaseOf(url)];
  const tool = run('pg_restore', options, url);
  const [read] = await Promise.allSettled([pipeline(dump, tool.input), tool.ended]);
  if (read.status === 'rejected' && read.reason instanceof BackupFault) throw read.reason;
  await tool.ended;
}

/** Whether a database has no tables yet. */
export async function isEmpty(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select from pg_tables where schemaname in ('public', 'pgboss') limit 1`);
    return rows.length === 0;
  } finally {
    await client.end();
  }
}

const databaseOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

function run(
  command: string,
  args: string[],
  url: string,
): { input: Writable; output: Readable; ended: Promise<void> } {
  const tool = spawn(command, args, { env: { PATH: process.env.PATH, ...environmentOf(url) } });
  let said = '';
  tool.stderr.on('data', (text) => {
    said += text;
  });
  const ended = Promise.race([
    once(tool, 'close').then(([code]) => {
      if (code !== 0) throw new BackupFault(`${command} could not do it: ${said.trim()}`);
    }),
    once(tool, 'error').then(() => {
      throw new BackupFault(
        `There is no ${command} here. Install PostgreSQL’s client of the server’s version or a newer one, or have the service that runs the database make the backups.`,
      );
    }),
  ]);
  ended.catch((error) => tool.stdout.destroy(error));
  return { input: tool.stdin, output: tool.stdout, ended };
}

/** What an address says, for PostgreSQL's tools: the arguments of a command are seen by everybody on the computer. */
function environmentOf(text: string): Record<string, string> {
  const { hostname, port, username, password, searchParams } = new URL(text);
  return {
    PGHOST: searchParams.get('host') ?? hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseOf(text),
    ...(searchParams.has('sslmode') ? { PGSSLMODE: searchParams.get('sslmode') ?? '' } : {}),
  };
}
