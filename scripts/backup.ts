/** `npm run backup`: makes a backup now. The program makes one of its own database each day by itself. */
import { BackupFault, placeOf } from '#app/db/backup/store.server.ts';
import { type Settings, settingsOrExit } from '#app/env.server.ts';
import { openClock, trueTime } from '#app/lib/clock.ts';
import { openBackups } from '#server/backups.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { takeDump } from '#server/dump.ts';
import { optionsOrExit } from './support/options.ts';

optionsOrExit('Usage: npm run backup', { options: {} });
const settings = settingsOrExit();
if (!settings.backups) {
  console.error('Backups are turned off: BACKUP_DIR is off.');
  process.exit(1);
}
try {
  await takeOne(settings, settings.backups);
} catch (error) {
  if (!(error instanceof BackupFault)) throw error;
  console.error(`No backup was made. ${error.message}`);
  process.exitCode = 1;
}

async function takeOne(
  { databaseUrl, databaseMigrationUrl, today }: Settings,
  backups: NonNullable<Settings['backups']>,
): Promise<void> {
  const startedAt = performance.now();
  if (databaseUrl) {
    const { file, bytes } = await takeDump(databaseMigrationUrl ?? databaseUrl, backups, trueTime(openClock(today)));
    console.log(`${file}: ${inWords(bytes, startedAt)}.`);
    console.log(
      'It holds what was written until now, and nothing runs this by itself: have the service that runs the database archive its log (point-in-time recovery), or run this command each hour.',
    );
    return;
  }
  const database = await openDatabaseOrExit(settings, (line) => console.error(line));
  const opened = await openBackups(database, backups);
  try {
    const base = await opened?.take();
    if (base) console.log(`Backup ${base.name} in ${placeOf(backups)}: ${inWords(base.bytes, startedAt)}.`);
    else console.log('Another program is making or checking a backup at the moment.');
  } finally {
    await opened?.close();
    await database.close();
  }
}

function inWords(bytes: number, startedAt: number): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `${(bytes / 2 ** 20).toFixed(1)} MB in ${seconds} s`;
}
