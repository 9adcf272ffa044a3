import { statfs } from 'node:fs/promises';
import type { Settings } from '#app/env.server.ts';

/** In bytes. */
export type Disk = { folder: string; free: number; size: number };

/** The disks of the data folder and of the backups; one that cannot be read is left out. */
export async function readDisks({ dataDir, backups }: Pick<Settings, 'dataDir' | 'backups'>): Promise<Disk[]> {
  const found = [dataDir, ...(backups && 'folder' in backups ? [backups.folder] : [])].map(async (folder) => {
    const disk = await statfs(folder).catch(() => null);
    return disk && { folder, free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize };
  });
  return (await Promise.all(found)).flatMap((disk) => disk ?? []);
}
