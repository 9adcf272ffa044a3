import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveFolder } from '#app/db/embedded-postgres.server.ts';
import { readSettings, type Settings } from '#app/env.server.ts';
import { databaseIdentity, marksFolder, raiseMarks } from '#app/features/money/document-numbers.server.ts';
import { runScript, temporaryFolder } from '#scripts/support/program.ts';
import { type Backups, openBackups } from '#server/backups.ts';
import { type Database, openDatabase } from '#server/database.ts';
import { openBucketNumbers } from '#server/number-folders.ts';
import { key, writtenSegment } from '#tests/support/backups.ts';
import { type BucketStandIn, startBucket } from '#tests/support/bucket-stand-in.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { statement } from '#tests/support/statement.ts';

const data = temporaryFolder();
let bucket: BucketStandIn;
let settings: NonNullable<Settings['backups']>;
let database: Database;
let backups: Backups;
beforeAll(async () => {
  bucket = await startBucket();
  const read = readSettings({ BACKUP_URL: bucket.url, BACKUP_KEY: key });
  settings = (read.ok && read.settings.backups) || expect.unreachable();
  fillDataFolder(data.folder);
  database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined, backups: settings }, () => undefined);
  backups = (await openBackups(database, settings)) ?? expect.unreachable();
  await backups.takeDue();
});
afterAll(async () => {
  await backups.close();
  await database.close();
  bucket.close();
  data.remove();
});

const spool = () => archiveFolder((database.embedded ?? expect.unreachable()).home);
const waiting = () => readdirSync(spool()).filter((name) => /^[0-9A-F]{24}$/.test(name));

/** A file of the log waits to be stored. */
async function writeLog(word: string): Promise<void> {
  await statement(database.owner, `create table ${word} ()`);
  const segment = await writtenSegment(database.owner);
  await expect.poll(() => existsSync(path.join(spool(), segment))).toBe(true);
}

async function restore() {
  const folder = temporaryFolder();
  const run = runScript('restore.ts', [], {
    ...{ DATA_DIR: folder.folder, BACKUP_DIR: '', BACKUP_URL: bucket.url, BACKUP_KEY: key },
  });
  const [status, said] = [await run.end(), run.output()];
  folder.remove();
  return { status, said };
}

test('P92: while the bucket is away the log waits, and the state of the last backup is still known', async () => {
  await writeLog('before');
  const { at } = await backups.state();
  bucket.isAway = true;
  await expect(backups.keepLog()).rejects.toThrow(/does not answer/);
  expect([waiting().length > 0, at, await backups.state()]).toEqual([
    true,
    expect.any(Date),
    expect.objectContaining({ at }),
  ]);
  bucket.isAway = false;
  await backups.keepLog();
  expect(waiting()).toEqual([]);
});

test('P92: a program that starts while the bucket is away says that it does not answer', async () => {
  bucket.isAway = true;
  const other = (await openBackups(database, settings)) ?? expect.unreachable();
  expect(await other.state()).toMatchObject({
    at: null,
    fault: expect.stringMatching(/^s3:.*does not answer/),
    sameDisk: false,
  });
  bucket.isAway = false;
  await other.close();
});

test('P92: what waits for a quarter of an hour to be stored is a fault', async () => {
  await writeLog('later');
  const inMinutes = { ...database.time, now: () => new Date(Date.now() + 16 * 60_000) };
  const other = (await openBackups({ ...database, time: inMinutes }, settings)) ?? expect.unreachable();
  expect((await other.state()).fault).toMatch(/^Nothing written since .* is in the backup: s3:.* does not take it\.$/);
  await other.close();
  await backups.keepLog();
});

test('P92: the newest backup is restored from the bucket, and its sums agree', async () => {
  await backups.check();
  expect(await backups.state()).toMatchObject({ fault: null });
});

test('P30: a machine lost with its folders is restored from the bucket, and no number is given out twice', async () => {
  const marks = marksFolder(data.folder, await databaseIdentity(database.db));
  await raiseMarks(marks, { 'tax-invoice': 12, 'adjustment-note': 0, offer: 0 });
  await writeLog('numbers');
  await backups.keepLog();
  const storeNumbers = await openBucketNumbers(database.db, { dataDir: data.folder, backups: settings });
  await storeNumbers();
  await raiseMarks(marks, { 'tax-invoice': 13, 'adjustment-note': 0, offer: 0 });
  await storeNumbers();
  expect([...bucket.files.keys()].filter((name) => name.includes('INV-'))).toHaveLength(1);
  const { status, said } = await restore();
  expect([status, said]).toEqual([
    0,
    expect.stringMatching(/Restored the database.*last given out INV-00013.*Skipped: .*INV-00013/s),
  ]);
});
