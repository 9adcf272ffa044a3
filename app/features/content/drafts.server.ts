import type { Db } from '#app/db/client.server.ts';
import type { EditableKind } from './form/kinds.ts';
import { mergeValues } from './merge.ts';
import { listRevisions, readRecord } from './queries.server.ts';
import type { RecordValue } from './records.ts';
import { type Author, currentOf, type RecordRef, type Revision } from './revisions.ts';

/** A record with its history: the published value, and the draft or scheduled revision over it. */
export type Standing = {
  record: RecordRef;
  revisions: Revision[];
  /** Undefined for a record that was never published. */
  current: Revision | undefined;
  draft: Revision | undefined;
};

/** Null when there is no record of this id. */
export async function readStanding(trx: Db, id: number): Promise<Standing | null> {
  const record = await readRecord(trx, id);
  if (!record) return null;
  const revisions = await listRevisions(trx, record);
  const over = await trx.selectFrom('content_drafts').select('number').where('record_id', '=', id).executeTakeFirst();
  const draft = revisions.find(({ number }) => number === over?.number);
  return { record, revisions, current: currentOf(revisions), draft };
}

/** The value to edit: the draft, or else the published value. */
export const newestOf = ({ draft, current }: Standing): Revision | undefined => draft ?? current;

/** The value that is on offer now; undefined for a record that was retired, or never published. */
export const publishedValueOf = ({ current }: Pick<Standing, 'current'>): RecordValue | undefined =>
  current?.state === 'retired' ? undefined : current?.value;

/** The published revision that a revision's changes are counted from; 0 for none. */
export const publishedBaseOf = (revision: Revision | undefined): number => {
  if (!revision) return 0;
  return revision.state === 'draft' || revision.state === 'scheduled' ? (revision.base ?? 0) : revision.number;
};

/** A value that was made from a published revision, with the fields that others published since; its own where both changed one. */
export function mergedOnto(
  { record, revisions, current }: Standing,
  value: RecordValue,
  base: number,
): ReturnType<typeof mergeValues> {
  if (!current || base === current.number) return { value, conflicts: [] };
  const from = revisions.find(({ number }) => number === base)?.value;
  return mergeValues(record, { base: from, ours: value, theirs: current.value });
}

export type DraftToKeep = {
  value: RecordValue;
  /** The published revision that it will replace; 0 for none. */
  base: number;
  author: Author & object;
  at: Date;
  note: string | null;
  /** When the job publishes it; null when it is not scheduled. */
  publishAt: Date | null;
};

/** Keeps a draft as a revision of its own, which lies over the record from now on; its number. */
export async function keepDraft(trx: Db, { record, revisions }: Standing, draft: DraftToKeep): Promise<number> {
  const number = Math.max(0, ...revisions.map((one) => one.number)) + 1;
  await trx
    .insertInto('content_revisions')
    .values({
      record_id: record.id,
      number,
      state: draft.publishAt ? 'scheduled' : 'draft',
      value: JSON.stringify(draft.value),
      base: draft.base === 0 ? null : draft.base,
      author: 'person',
      person_id: draft.author.person,
      made_at: draft.at,
      publish_at: draft.publishAt,
      note: draft.note,
    })
    .execute();
  await trx
    .insertInto('content_drafts')
    .values({ record_id: record.id, number })
    .onConflict((conflict) => conflict.column('record_id').doUpdateSet({ number }))
    .execute();
  return number;
}

/** Takes the draft off its record: it was published, or thrown away. Its revision stays in the history. */
export async function liftDraft(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('content_drafts').where('record_id', '=', id).execute();
}

/** Whether a record that was never published can go by a key, which is its address or name. */
export const isUsableKey = (key: string): boolean =>
  /^[^\s/][^\n]{0,199}$/.test(key) && key !== 'undefined' && !key.startsWith('undefined/');

/** Gives back the key of a record whose draft was thrown away before it was ever published. */
export async function freeKey(trx: Db, { id }: RecordRef): Promise<void> {
  await trx
    .updateTable('content_records')
    .set({ key: `thrown-away:${id}` })
    .where('id', '=', id)
    .execute();
}

/** Makes the record of a new draft; null when the academy has, or had, a record of this kind and key. */
export async function makeRecord(trx: Db, kind: EditableKind, key: string): Promise<RecordRef | null> {
  const row = await trx
    .insertInto('content_records')
    .values({ kind, key })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? { id: row.id, kind, key } : null;
}

/** Gives a record that was never published the key of its draft; false when another record has it. */
export async function renameUnpublished(trx: Db, { id, kind, key }: RecordRef, to: string): Promise<boolean> {
  if (key === to) return true;
  const taken = await trx
    .selectFrom('content_records')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', to)
    .executeTakeFirst();
  if (taken) return false;
  await trx.updateTable('content_records').set({ key: to }).where('id', '=', id).execute();
  return true;
}
