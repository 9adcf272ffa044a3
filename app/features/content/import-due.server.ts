import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { importContent } from './import-content.server.ts';
import { isEmpty, type Plan, type PlannedRecord } from './plan.ts';
import { hashOfContent, readContent } from './read-content.server.ts';
import type { RecordKind } from './records.ts';

/**
 * A sentence about the changes in the files that are not in the database, and the import after which it was computed.
 */
export type ImportDue = { sentence: string; after: string };

/** Null when nothing is due, or when it was not looked at yet. */
export const importDueContext = createContext<ImportDue | null>(null);

/**
 * Compares the files of `folder` with the database as an import would. The database is the truth (P46), so an update of
 * the program goes on selling under the former texts until somebody imports: this says so. Null when an import would
 * change nothing. Files that the last import read are not looked into.
 */
export async function findImportDue(
  db: Db,
  folder: string,
  at: { today: string; now: Date },
): Promise<ImportDue | null> {
  const { imported_at, files_hash } = await readState(db);
  // A database that was never filled is filled by the program's start.
  if (imported_at === null) return null;
  const hash = await hashOfContent(folder);
  if (hash === files_hash) return null;
  const after = imported_at.toISOString();
  const read = await readContent(folder);
  if (!read.ok) return { sentence: 'content/ has faults. To see them: npm run content -- check', after };
  const result = await importContent(db, read.content, at, () => false);
  if (result.ok) return null;
  if (result.reason === 'unsound') {
    return { sentence: `content/ and the database contradict each other: ${result.faults.join('; ')}.`, after };
  }
  if (!isEmpty(result.plan)) return { sentence: sentenceOf(result.plan), after };
  await db.updateTable('import_state').set({ files_hash: hash }).where('imported_at', '=', imported_at).execute();
  return null;
}

/** Whether the finding still holds: an import since then may have brought the content. */
export async function isStillDue(db: Db, due: ImportDue): Promise<boolean> {
  return (await readState(db)).imported_at?.toISOString() === due.after;
}

function readState(db: Db) {
  return db.selectFrom('import_state').select(['imported_at', 'files_hash']).executeTakeFirstOrThrow();
}

function sentenceOf({ added, changed, retired }: Plan): string {
  const coming = counted([...added, ...changed]);
  const going = counted(retired);
  const parts = [
    ...(coming.length > 0 ? [`content/ has what the database does not: ${coming.join(', ')}.`] : []),
    ...(going.length > 0 ? [`It no longer has ${going.join(', ')}.`] : []),
  ];
  return `${parts.join(' ')} To bring it to the database: npm run content -- import`;
}

/** How many of each kind. */
const counted = (records: PlannedRecord[]): string[] =>
  [...Map.groupBy(records, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${inWords(kind, length)}`);

function inWords(kind: RecordKind, count: number): string {
  const name = kind.replace('faq', 'FAQ').replace('site', 'site setting');
  return count === 1 ? name : name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}
