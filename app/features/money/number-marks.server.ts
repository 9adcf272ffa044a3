import { open, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#app/db/client.server.ts';
import { makeFolder } from '#app/db/data-folder.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import {
  databaseIdentity,
  documentKinds,
  type LastNumbers,
  lastNumbers,
  numberOf,
  type Skipped,
  skipGivenNumbers,
} from './given-numbers.server.ts';

const folderName = 'numbers';

/** Where the numbers given out by a database are kept, outside of it. */
export const marksFolder = (dataDir: string, identity: string) => path.join(dataDir, folderName, identity);

/**
 * The last numbers that were given out, by the empty files of a folder that are named after them, such as `INV-00042`.
 * Null when there is no folder.
 */
export async function readMarks(folder: string): Promise<LastNumbers | null> {
  const names = await namesIn(folder);
  return names && lastOf(names);
}

async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

const numbersIn = (names: readonly string[], kind: (typeof documentKinds)[number]) =>
  names
    .map((name) => ({ name, number: Number(/^[A-Z]{3}-(\d{1,9})$/.exec(name)?.[1]) }))
    .filter(({ name, number }) => name === numberOf(kind, number));

function lastOf(names: readonly string[]): LastNumbers {
  const last = (kind: (typeof documentKinds)[number]) =>
    Math.max(0, ...numbersIn(names, kind).map(({ number }) => number));
  return { 'tax-invoice': last('tax-invoice'), 'adjustment-note': last('adjustment-note') };
}

/**
 * Writes down that numbers up to these were given out, and forces it to the disk. It only ever rises, also when several
 * programs write at once: each makes a file of its own name, and removes only lower ones.
 */
export async function raiseMarks(folder: string, given: LastNumbers): Promise<void> {
  makeFolder(folder, 0o755);
  const before = (await namesIn(folder)) ?? [];
  const last = lastOf(before);
  for (const kind of documentKinds) {
    if (given[kind] <= last[kind]) continue;
    await syncNew(path.join(folder, numberOf(kind, given[kind])), 'w');
    await syncNew(folder, 'r');
    for (const { name, number } of numbersIn(before, kind)) {
      // Another program may have removed it.
      if (number < given[kind]) await unlink(path.join(folder, name)).catch(() => undefined);
    }
  }
}

async function syncNew(file: string, flags: 'r' | 'w'): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

type Log = Record<'warn' | 'error', (fields: object, message: string) => void>;

/** Keeps the numbers that this database gave out, outside of it. */
export type GivenNumbers = {
  /**
   * Writes down the numbers that were committed so far, before anybody is sent one. When the database knows fewer than
   * were given out, because it was restored, the missing ones are skipped first (P30). A disk that cannot be written to
   * is logged and stops nothing.
   */
  keep(): Promise<void>;
};

export function openGivenNumbers({
  db,
  dataDir,
  clock,
  log,
}: {
  db: Db;
  dataDir: string;
  clock: Clock;
  log: Log;
}): GivenNumbers {
  let written: LastNumbers | null = null;
  let told = false;
  return {
    async keep() {
      const known = await lastNumbers(db);
      if (written && documentKinds.every((kind) => written?.[kind] === known[kind])) return;
      const folder = marksFolder(dataDir, await databaseIdentity(db));
      try {
        const given = (await readMarks(folder)) ?? known;
        if (documentKinds.some((kind) => given[kind] > known[kind])) {
          const skipped = await db.transaction().execute((trx) => skipGivenNumbers(trx, given, clock.now()));
          if (skipped.length > 0)
            log.warn({ skipped: inWords(skipped) }, 'numbers given out before a restore are skipped');
        }
        const now = await lastNumbers(db);
        await raiseMarks(folder, now);
        written = now;
        told = false;
      } catch (error) {
        if (!isOfDisk(error)) throw error;
        if (!told) log.error({ err: error }, 'numbers given out could not be written to the data folder');
        told = true;
      }
    },
  };
}

/** `INV-00101 to INV-00120`. */
export const inWords = (skipped: readonly Skipped[]) =>
  skipped.map(({ kind, first, last }) => `${numberOf(kind, first)} to ${numberOf(kind, last)}`);

/** Whether an error comes from the file system and not from the connection to the database. */
function isOfDisk(error: unknown): boolean {
  const { syscall = '' } = error as { syscall?: string };
  return ['open', 'fsync', 'mkdir', 'scandir', 'close'].includes(syscall);
}
