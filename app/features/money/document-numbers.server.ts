import { open, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { makeFolder } from '#app/db/data-folder.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { invoiceNumber, noteNumber, offerNumber } from './invoice-rules.ts';

/** What has numbers without gaps: documents of the books, and offers. */
export type NumberedKind = 'tax-invoice' | 'adjustment-note' | 'offer';

/**
 * The next number of a kind of document (P30, P111). All kinds stay locked until the transaction ends, in one order, so that
 * numbers have no gaps when it is rolled back and two transactions that issue several kinds never wait for each other.
 */
export async function takeNumber(trx: Trx, kind: NumberedKind): Promise<number> {
  await lockNumbers(trx);
  const { last } = await trx
    .updateTable('document_numbers')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('kind', '=', kind)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/**
 * Lets nobody else issue a document until the transaction ends, so that the balance of an invoice stays as it was read.
 * It locks the enrolment before the numbers. Every command does, so two of them never wait for each other.
 */
export async function lockDocuments(trx: Trx, enrolmentId: number): Promise<void> {
  await lockIssuer(trx, enrolmentId);
  await lockNumbers(trx);
}

/**
 * Locks the enrolment that a document is about, for what needs nothing of its earlier documents. The numbers are locked
 * when one is taken, after this, as by `lockDocuments`.
 */
export async function lockIssuer(trx: Trx, enrolmentId: number): Promise<void> {
  await trx.selectFrom('enrolments').select('id').where('id', '=', enrolmentId).forUpdate().executeTakeFirstOrThrow();
}

/** All kinds, in one order. */
const lockNumbers = (trx: Trx) =>
  trx.selectFrom('document_numbers').select('kind').orderBy('kind').forUpdate().execute();

/** A document of the books. */
export type DocumentKind = 'tax-invoice' | 'adjustment-note';

const numbered: Record<NumberedKind, (number: number) => string> = {
  'tax-invoice': invoiceNumber,
  'adjustment-note': noteNumber,
  offer: offerNumber,
};
export const numberedKinds = Object.keys(numbered) as NumberedKind[];

/** The last number of each kind; 0 before the first. */
export type LastNumbers = Record<NumberedKind, number>;

/** `INV-00042`, `ADJ-00042` or `OFF-00042`. */
export const numberOf = (kind: NumberedKind, number: number) => numbered[kind](number);

/** Names the database, also after it was restored from a backup: the file of numbers given out is about no other. */
export const databaseIdentity = (db: Db): Promise<string> => programSecret(db, 'database');

/** The last numbers that the database knows of. */
export async function lastNumbers(db: Db): Promise<LastNumbers> {
  const rows = await db.selectFrom('document_numbers').select(['kind', 'last']).execute();
  return byKind((kind) => rows.find((row) => row.kind === kind)?.last ?? 0);
}

/** A number of each kind. */
export const byKind = (last: (kind: NumberedKind) => number): LastNumbers => ({
  'tax-invoice': last('tax-invoice'),
  'adjustment-note': last('adjustment-note'),
  offer: last('offer'),
});

export type Skipped = { kind: NumberedKind; first: number; last: number };

/**
 * After a restored backup, raises the numbers past those given out before (P30), so that no number goes to two
 * documents. It records the skipped numbers, so that an auditor sees why they are missing. Returns them; empty when the
 * database is not behind.
 */
export async function skipGivenNumbers(trx: Trx, given: LastNumbers, at: Date): Promise<Skipped[]> {
  await lockNumbers(trx);
  const known = await lastNumbers(trx);
  const skipped = numberedKinds
    .filter((kind) => given[kind] > known[kind])
    .map((kind) => ({ kind, first: known[kind] + 1, last: given[kind] }));
  for (const { kind, first, last } of skipped) {
    await trx.insertInto('skipped_numbers').values({ kind, first, last, skipped_at: at }).execute();
    await trx.updateTable('document_numbers').set({ last }).where('kind', '=', kind).execute();
    const details = { from: numberOf(kind, first), to: numberOf(kind, last) };
    await writeAuditEntry(trx, {
      at,
      personId: null,
      action: 'skip-numbers',
      subject: `document-numbers:${kind}`,
      details,
      changes: changesBetween({ last: first - 1 }, { last }),
    });
  }
  return skipped;
}

/** Numbers that were given out before a restore and belong to no document here, the latest first. */
export async function skippedNumbers(db: Db): Promise<{ first: string; last: string; at: Date }[]> {
  const rows = await db.selectFrom('skipped_numbers').selectAll().orderBy('skipped_at', 'desc').limit(50).execute();
  return rows.map(({ kind, first, last, skipped_at }) => {
    const one = numberedKinds.find((known) => known === kind) ?? 'tax-invoice';
    return { first: numberOf(one, first), last: numberOf(one, last), at: skipped_at };
  });
}

const folderName = 'numbers';

/** The file outside of the database with the numbers that it gave out. */
export const marksFolder = (dataDir: string, identity: string) => path.join(dataDir, folderName, identity);

/**
 * The last numbers that were given out, by the empty files of a folder that are named after them, such as `INV-00042`.
 * Null when there is no folder.
 */
export async function readMarks(folder: string): Promise<LastNumbers | null> {
  const names = await namesIn(folder);
  return names && lastOf(names);
}

/** The highest of several folders; null when none is there. */
export async function readHighest(folders: readonly string[]): Promise<LastNumbers | null> {
  const found = (await Promise.all(folders.map(readMarks))).filter((marks) => marks !== null);
  const [first] = found;
  if (!first) return null;
  const highest = { ...first };
  for (const marks of found) for (const kind of numberedKinds) highest[kind] = Math.max(highest[kind], marks[kind]);
  return highest;
}

async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

const numbersIn = (names: readonly string[], kind: NumberedKind) =>
  names
    .map((name) => ({ name, number: Number(/^[A-Z]{3}-(\d{1,9})$/.exec(name)?.[1]) }))
    .filter(({ name, number }) => name === numberOf(kind, number));

/** The last number of each kind among names such as `INV-00042`. */
export function lastOf(names: readonly string[]): LastNumbers {
  return byKind((kind) => Math.max(0, ...numbersIn(names, kind).map(({ number }) => number)));
}

/**
 * Writes down that numbers up to these were given out, and forces it to the disk. It only ever rises, also when several
 * programs write at once: each makes a file of its own name, and removes only lower ones.
 */
export async function raiseMarks(folder: string, given: LastNumbers): Promise<void> {
  makeFolder(folder, 0o755);
  const before = (await namesIn(folder)) ?? [];
  const last = lastOf(before);
  for (const kind of numberedKinds) {
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

/** Writes the numbers that this database gave out to a file outside of it. */
export type GivenNumbers = {
  /**
   * Writes down the numbers that were committed so far, before anybody is sent one. When the database knows fewer than
   * were given out, because it was restored, the missing ones are skipped first (P30). A disk that cannot be written to
   * is logged and stops nothing.
   */
  keep(): Promise<void>;
};

/** `folders`: each has the numbers, under the name of the database. */
export function openGivenNumbers({
  db,
  folders,
  clock,
  log,
}: {
  db: Db;
  folders: readonly string[];
  clock: Clock;
  log: Log;
}): GivenNumbers {
  let written: LastNumbers | null = null;
  let told = false;
  return {
    async keep() {
      const known = await lastNumbers(db);
      if (written && numberedKinds.every((kind) => written?.[kind] === known[kind])) return;
      const identity = await databaseIdentity(db);
      const marks = folders.map((folder) => marksFolder(folder, identity));
      try {
        const given = (await readHighest(marks)) ?? known;
        if (numberedKinds.some((kind) => given[kind] > known[kind])) {
          const skipped = await db.transaction().execute((trx) => skipGivenNumbers(trx, given, clock.now()));
          if (skipped.length > 0)
            log.warn({ skipped: inWords(skipped) }, 'numbers given out before a restore are skipped');
        }
        const now = await lastNumbers(db);
        for (const folder of marks) await raiseMarks(folder, now);
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
