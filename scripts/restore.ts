/**
 * `npm run restore [-- --to '2026-11-22 09:14']`: restores a backup of that minute in Brisbane, or the newest, where
 * there is no database yet. Mail is held until an owner sends it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ClusterBackups, clustersIn } from '#app/db/backup/cluster-backups.server.ts';
import { openStore } from '#app/db/backup/open-store.server.ts';
import { putInPlace, type Restored, restoreBeside } from '#app/db/backup/restore.server.ts';
import { BackupFault, placeOf } from '#app/db/backup/store.server.ts';
import { createDb } from '#app/db/client.server.ts';
import { prepareHome } from '#app/db/embedded-home.server.ts';
import { archiveFolder } from '#app/db/embedded-postgres.server.ts';
import { type Settings, settingsOrExit } from '#app/env.server.ts';
import { findImbalances } from '#app/features/reports/balance.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { openClock } from '#app/lib/clock.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { holdMail } from '#app/outbox/held-mail.server.ts';
import { listNewerCardPayments, settleRestored } from '#server/after-restore.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { findDump, isEmpty, restoreDump } from '#server/dump.ts';
import { fetchNumbers, numberFolders } from '#server/number-folders.ts';
import { optionsOrExit } from './support/options.ts';
import { numbersOrExit } from './support/said-numbers.ts';

type BackupSettings = NonNullable<Settings['backups']>;

const usage =
  "Usage: npm run restore [-- --to '2026-11-22 09:14'] [--after INV-00120] [--after ADJ-00007]\nThe time is Brisbane's; without it the newest backup is restored.";
const { values } = optionsOrExit(usage, {
  options: { to: { type: 'string' }, after: { type: 'string', multiple: true, default: [] } },
});
const to = values.to === undefined ? null : momentOrExit(values.to);
const said = numbersOrExit(values.after, usage);
const settings = settingsOrExit();
if (!settings.backups) {
  console.error('Backups are turned off: set BACKUP_DIR to their folder, or BACKUP_URL to their bucket.');
  process.exit(1);
}
try {
  const reached = settings.databaseUrl
    ? await restoreFromDump(settings.databaseMigrationUrl ?? settings.databaseUrl, settings.backups)
    : await restoreOwn(settings.backups);
  await settle(reached);
} catch (error) {
  if (!(error instanceof BackupFault)) throw error;
  console.error(`Nothing was restored. ${error.message}`);
  process.exitCode = 1;
}

/** Returns the moment of which the database is now. */
async function restoreOwn(backups: BackupSettings): Promise<Date> {
  const home = await prepareHome(settings.dataDir);
  if (existsSync(path.join(home.folder, 'data')))
    throw new BackupFault(
      `${home.folder} holds a database. Stop all programs and move that folder away, then try again; nothing in it was changed.`,
    );
  const newest = await newestCluster(backups);
  const folder = path.join(home.folder, 'restore');
  const restored = await restoreBeside(home, { folder, backups: newest, to, archive: archiveFolder(home) });
  // Before anything can start on it.
  const db = createDb(restored.cluster.ownerConnection(), () => undefined);
  await holdMail(db).finally(() => db.destroy());
  await putInPlace(home, folder, restored);
  return reachedBy(restored);
}

function reachedBy({ plan, reached }: Restored): Date {
  const at = reached ?? plan.base.endedAt;
  console.log(`Restored the database as of ${formatMoment(at)} (backup ${plan.base.name}).`);
  if (plan.until === 'base' && to)
    console.log(`Nothing later up to ${formatMoment(to)} is kept: for more than a week only whole backups are.`);
  if (plan.until === 'newest' && plan.hasGap)
    console.log('A part of the log is missing. What was written after that is not in the backup.');
  return at;
}

/** The cluster whose backup is the newest: a database that was begun anew has another than the one before. */
async function newestCluster(backups: BackupSettings): Promise<ClusterBackups> {
  const clusters = await clustersIn(await openStore(backups), backups.key);
  const ends = await Promise.all(
    clusters.map(async (one) => Math.max(0, ...(await one.bases()).map(({ endedAt }) => endedAt.getTime()))),
  );
  const at = ends.indexOf(Math.max(...ends));
  const newest = clusters[at];
  if (!newest || !ends[at])
    throw new BackupFault(
      `There is no backup in ${placeOf(backups)}. Set BACKUP_DIR to its folder, or BACKUP_URL to its bucket.`,
    );
  return newest;
}

async function restoreFromDump(url: string, backups: BackupSettings): Promise<Date> {
  if (!(await isEmpty(url)))
    throw new BackupFault('The database of DATABASE_URL has tables. Name an empty one; nothing in it was changed.');
  const dump = await findDump(backups, to);
  if (!dump)
    throw new BackupFault(
      `There is no such dump in ${placeOf(backups)}. A service that archives the log of its database restores it to any moment: do it there, then run npm run restore-check.`,
    );
  await restoreDump(url, backups, dump.name);
  console.log(`Restored the dump of ${formatMoment(dump.at)}.`);
  return dump.at;
}

async function settle(reached: Date): Promise<void> {
  const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
  try {
    await fetchNumbers(db, settings);
    const folders = numberFolders(settings);
    const settled = await settleRestored(db, { folders, said, at: openClock(settings.today).now() });
    for (const line of settled.ok ? settled.lines : [settled.message]) console.log(line);
    if (settled.ok && !settled.numbersKnown)
      console.log(
        'No numbers given out were kept here: find the last invoice and adjustment note in sent mail, and name them: npm run restore-check -- --after INV-00120 --after ADJ-00007',
      );
    for (const line of await listNewerCardPayments(db, settings.stripe, reached)) console.log(line);
    const imbalances = await findImbalances(db);
    console.log(imbalances.length === 0 ? 'Seats, money and experience points add up.' : imbalances.join('\n'));
    if (!settled.ok || imbalances.length > 0) process.exitCode = 1;
  } finally {
    await close();
  }
}

/** An academy time, to the minute or the second. */
function momentOrExit(text: string): Date {
  const [, day, time, second] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/.exec(text) ?? [];
  const at = day && time ? instantOf(day, time, academyZone) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) {
    console.error(`Not a time such as 2026-11-22 09:14: ${text}\n${usage}`);
    process.exit(2);
  }
  return new Date(at.getTime() + Number(second?.slice(1) ?? 0) * 1000);
}
