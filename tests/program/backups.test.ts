import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClusterBackups } from '#app/db/backup/cluster-backups.server.ts';
import { openStore } from '#app/db/backup/open-store.server.ts';
import { restoreBeside } from '#app/db/backup/restore.server.ts';
import { createDb } from '#app/db/client.server.ts';
import { archiveFolder } from '#app/db/embedded-postgres.server.ts';
import { runScript, temporaryFolder } from '#scripts/support/program.ts';
import { type Backups, openBackups } from '#server/backups.ts';
import { type Database, openDatabase } from '#server/database.ts';
import { backupsOf, key, wallTime, writtenSegment } from '#tests/support/backups.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { lives } from '#tests/support/postmaster.ts';
import { statement } from '#tests/support/statement.ts';

const data = temporaryFolder();
const kept = temporaryFolder();
const settings = { folder: kept.folder, key: Buffer.from(key, 'base64url') };
let database: Database;
let backups: Backups;
beforeAll(async () => {
  fillDataFolder(data.folder);
  const own = { dataDir: data.folder, databaseUrl: undefined, backups: settings };
  database = await openDatabase(own, () => undefined);
  const opened = await openBackups(database, settings);
  if (!opened) throw new Error('backups are on');
  backups = opened;
});
afterAll(async () => {
  await backups.close();
  await database.close();
  data.remove();
  kept.remove();
});

/** The log so far is handed over and kept. */
async function handOver(): Promise<void> {
  const { home } = database.embedded ?? expect.unreachable();
  const segment = await writtenSegment(database.owner);
  await expect.poll(() => existsSync(path.join(archiveFolder(home), segment))).toBe(true);
  await backups.keepLog();
}

/** The number of the database's cluster. */
const cluster = () => readdirSync(kept.folder).find((name) => /^\d+$/.test(name)) ?? '';

/** Where a backup is restored to be checked. */
const beside = (name: string) => path.join(data.folder, 'postgres/check', name);

async function restore(args: string[] = [], folder = temporaryFolder()) {
  const env = { DATA_DIR: folder.folder, BACKUP_DIR: kept.folder, BACKUP_KEY: key };
  const run = runScript('restore.ts', args, env);
  return { status: await run.end(), said: run.output(), folder };
}

test('P92: a backup is due at first, and not again on the same day', async () => {
  expect(await backups.takeDue()).toMatchObject({ timeline: 1 });
  expect(await backups.takeDue()).toBeNull();
  expect(await backupsOf(kept.folder)).toHaveLength(1);
  expect(await backups.state()).toMatchObject({ fault: null });
});

test('P92: the state of a moment is restored, with mail held, in words', async () => {
  await statement(database.owner, `create table moments (word text)`);
  await statement(database.owner, `insert into moments values ('before')`);
  const written = Math.floor(Date.now() / 1000);
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(written);
  const moment = new Date();
  await expect.poll(() => Date.now() - moment.getTime()).toBeGreaterThan(1000);
  await statement(database.owner, `insert into moments values ('after')`);
  await handOver();

  const { status, said, folder } = await restore(['--to', wallTime(moment)]);
  expect([status, said]).toEqual([0, expect.stringMatching(/Restored the database as of .*Mail is held.*add up/s)]);
  const restored = await openDatabase({ dataDir: folder.folder, databaseUrl: undefined }, () => undefined);
  const owner = createDb(restored.owner, () => undefined);
  const { rows } = await sql`select word, held_since from moments, mail_server`.execute(owner);
  expect(rows).toEqual([{ word: 'before', held_since: expect.any(Date) }]);
  await owner.destroy();
  await restored.close();

  const again = await restore([], folder);
  expect([again.status, again.said]).toEqual([1, expect.stringMatching(/^Nothing was restored.* holds a database/)]);
  folder.remove();
});

test('P92: the newest backup is restored beside the database, and its sums agree', async () => {
  await backups.check();
  expect(await backups.state()).toMatchObject({ fault: null });
  expect(readdirSync(path.join(data.folder, 'postgres'))).not.toContain('check');
});

test('a program that ends while it checks leaves nothing beside the database, and that is no fault', async () => {
  const other = (await openBackups(database, settings)) ?? expect.unreachable();
  const checking = other.check();
  await expect.poll(() => existsSync(beside('data'))).toBe(true);
  await other.close();
  await checking;
  expect([existsSync(beside('')), (await backups.state()).fault]).toEqual([false, null]);
});

test('what a check left that was killed is gone after the next one', async () => {
  const { home } = database.embedded ?? expect.unreachable();
  const folder = new ClusterBackups(await openStore(settings), settings.key, cluster());
  await restoreBeside(home, { folder: beside(''), backups: folder, to: null, archive: null });
  const left = Number(readFileSync(beside('data/postmaster.pid'), 'utf8').split('\n')[0]);
  await backups.check();
  expect([existsSync(beside('')), lives(left)]).toEqual([false, false]);
});

test('two databases never keep their logs in one place', async () => {
  const folder = new ClusterBackups(await openStore(settings), settings.key, cluster());
  const [first] = await folder.logFiles();
  const foreign = path.join(data.folder, 'foreign');
  mkdirSync(foreign);
  const file = path.join(foreign, first?.name ?? '');
  writeFileSync(file, 'of another database');
  await expect(folder.takeLogFile(file)).rejects.toThrow(/Give each its own BACKUP_DIR/);
  expect(readdirSync(foreign)).toHaveLength(1);
  rmSync(foreign, { recursive: true });
});

test('P92: a backup older than a day is a fault, and another one is due', async () => {
  const tomorrow = { ...database.time, now: () => new Date(database.time.now().getTime() + 25 * 60 * 60 * 1000) };
  const later = (await openBackups({ ...database, time: tomorrow }, settings)) ?? expect.unreachable();
  expect((await later.state()).fault).toBe('The newest backup is older than a day.');
  expect(await later.takeDue()).not.toBeNull();
  await later.close();
});

test('P92: a damaged backup is found by the check, and nothing is restored from it', async () => {
  const bases = path.join(kept.folder, cluster(), 'base');
  const newest = readdirSync(bases).findLast((name) => name.endsWith('.sealed')) ?? '';
  truncateSync(path.join(bases, newest), 1_000_000);
  await expect(backups.check()).rejects.toThrow(/cut off/);
  const { status, said, folder } = await restore();
  expect([status, said]).toEqual([1, expect.stringMatching(/^Nothing was restored\. .*is cut off\./)]);
  expect(readdirSync(path.join(folder.folder, 'postgres'))).toEqual([]);
  folder.remove();
});
