import { changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { lockNumbers } from './document-numbers.server.ts';
import { invoiceNumber, noteNumber } from './invoice-rules.ts';

export type DocumentKind = 'tax-invoice' | 'adjustment-note';
export const documentKinds: readonly DocumentKind[] = ['tax-invoice', 'adjustment-note'];

/** The last number of each kind of document; 0 before the first. */
export type LastNumbers = Record<DocumentKind, number>;

/** `INV-00042` or `ADJ-00042`. */
export const numberOf = (kind: DocumentKind, number: number) =>
  kind === 'tax-invoice' ? invoiceNumber(number) : noteNumber(number);

/** Names the database, also after it was restored from a backup: the file of numbers given out is about no other. */
export const databaseIdentity = (db: Db): Promise<string> => programSecret(db, 'database');

/** The last numbers that the database knows of. */
export async function lastNumbers(db: Db): Promise<LastNumbers> {
  const rows = await db.selectFrom('document_numbers').select(['kind', 'last']).execute();
  const last = (kind: DocumentKind) => rows.find((row) => row.kind === kind)?.last ?? 0;
  return { 'tax-invoice': last('tax-invoice'), 'adjustment-note': last('adjustment-note') };
}

export type Skipped = { kind: DocumentKind; first: number; last: number };

/**
 * After a restored backup, raises the numbers past those given out before (P30), so that no number goes to two
 * documents. It records the skipped numbers, so that an auditor sees why they are missing. Returns them; empty when the
 * database is not behind.
 */
export async function skipGivenNumbers(trx: Trx, given: LastNumbers, at: Date): Promise<Skipped[]> {
  await lockNumbers(trx);
  const known = await lastNumbers(trx);
  const skipped = documentKinds
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
    const one = kind === 'adjustment-note' ? 'adjustment-note' : 'tax-invoice';
    return { first: numberOf(one, first), last: numberOf(one, last), at: skipped_at };
  });
}
