import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { clustersIn } from '#app/db/backup/cluster-backups.server.ts';
import { openStore } from '#app/db/backup/open-store.server.ts';
import type { Base } from '#app/db/backup/plan.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { wallClockAt } from '#app/lib/wall-clock.ts';

/** A key for `BACKUP_KEY`. */
export const key = randomBytes(32).toString('base64url');

/** The bases in a folder of backups. */
export async function backupsOf(folder: string): Promise<Base[]> {
  const clusters = await clustersIn(await openStore({ folder, key: null }), null);
  return (await Promise.all(clusters.map((cluster) => cluster.bases()))).flat();
}

/** Has a server hand over the file of the log that it writes, and returns its name. */
export async function writtenSegment(owner: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
    return String(rows[0]?.name);
  } finally {
    await client.end();
  }
}

/** A moment as it is typed, in Brisbane and to the second: `2026-11-22 09:14:05`. */
export function wallTime(at: Date): string {
  const { day, time } = wallClockAt(academyZone, at);
  return `${day} ${time}:${String(at.getUTCSeconds()).padStart(2, '0')}`;
}
