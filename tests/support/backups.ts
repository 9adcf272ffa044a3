import { randomBytes } from 'node:crypto';
import { BackupFolder, clustersIn } from '#app/db/backup/backup-folder.server.ts';
import type { Base } from '#app/db/backup/plan.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { wallClockAt } from '#app/lib/wall-clock.ts';

/** A key for `BACKUP_KEY`. */
export const key = randomBytes(32).toString('base64url');

/** The bases in a folder of backups. */
export async function backupsOf(folder: string): Promise<Base[]> {
  const settings = { folder, key: null };
  const clusters = await clustersIn(settings);
  return (await Promise.all(clusters.map((id) => new BackupFolder(settings, id).bases()))).flat();
}

/** A moment as it is typed, in Brisbane and to the second: `2026-11-22 09:14:05`. */
export function wallTime(at: Date): string {
  const { day, time } = wallClockAt(academyZone, at);
  return `${day} ${time}:${String(at.getUTCSeconds()).padStart(2, '0')}`;
}
