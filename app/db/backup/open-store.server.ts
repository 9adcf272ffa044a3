import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '#app/db/data-folder.server.ts';
import { BackupFault, type BackupSettings, type BackupStore } from './store.server.ts';

/** The library for buckets is loaded only for one. */
export async function openStore(settings: BackupSettings): Promise<BackupStore> {
  if ('folder' in settings) return folderStore(settings.folder);
  const { bucketStore } = await import('./bucket-store.server.ts');
  return bucketStore(settings.bucket);
}

const partEnding = '.part';

function folderStore(root: string): BackupStore {
  const at = (name: string) => path.join(root, name);
  const namesIn = async (folder: string) => (await readdir(folder).catch(ignoreMissing)) ?? [];
  return {
    place: root,
    async folders() {
      const entries = (await readdir(root, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
      return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
    },
    async list(folder) {
      const files = (await namesIn(at(folder))).filter((file) => !file.startsWith('.'));
      const found = files.map(async (file) => {
        // Another program may prune.
        const there = await stat(path.join(at(folder), file)).catch(ignoreMissing);
        return there?.isFile() ? { file, storedAt: there.mtime } : [];
      });
      return (await Promise.all(found)).flat();
    },
    async get(name) {
      const file = await open(at(name)).catch(ignoreMissing);
      return file?.createReadStream() ?? null;
    },
    async put(name, content) {
      const folder = path.dirname(at(name));
      makeOrFault(folder);
      const draft = path.join(folder, `.${path.basename(name)}.${randomBytes(4).toString('hex')}${partEnding}`);
      try {
        const out = createWriteStream(draft, { mode: 0o600, flush: true });
        await pipeline(content, out);
        await rename(draft, at(name));
        await syncFolder(folder);
        return out.bytesWritten;
      } finally {
        await rm(draft, { force: true });
      }
    },
    delete: (name) => rm(at(name), { force: true }),
    async deleteAbandoned(before) {
      const files = (await readdir(root, { recursive: true }).catch(ignoreMissing)) ?? [];
      for (const file of files.filter((one) => one.endsWith(partEnding))) {
        const draft = await stat(at(file)).catch(ignoreMissing);
        if (draft && draft.mtime < before) await rm(at(file), { force: true });
      }
    },
    async freeBytes() {
      makeOrFault(root);
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
}

function makeOrFault(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw new BackupFault(`The folder ${folder} cannot be made: ${error instanceof Error ? error.message : error}`);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): null {
  if ((error as { code?: string }).code === 'ENOENT') return null;
  throw error;
}
