import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#app/db/client.server.ts';
import { fieldsOf, fieldsToType } from './form/fields.ts';
import { type Author, currentOf, type RecordKind, type RecordRef, type RecordValue, type Revision } from './records.ts';
import { listRevisions, readRecord } from './revisions.server.ts';

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
  const over = await trx.selectFrom('content_records').select('draft').where('id', '=', id).executeTakeFirst();
  const draft = revisions.find(({ number }) => number === over?.draft);
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
export function mergedOnto({ revisions, current }: Standing, value: RecordValue, base: number): Merged {
  if (!current || base === current.number) return { value, conflicts: [] };
  const from = revisions.find(({ number }) => number === base)?.value;
  return mergeValues({ base: from, mine: value, theirs: current.value });
}

type Merged = { value: RecordValue; conflicts: string[] };

/**
 * Merges two values of one record that were made from the same base. A change of only one side is taken; a field that
 * both sides changed differently is a conflict and keeps mine (P71). In lists my position counts, even if neighbours
 * moved since.
 */
export function mergeValues({
  base = {},
  mine,
  theirs,
}: {
  base: RecordValue | undefined;
  mine: RecordValue;
  theirs: RecordValue;
}): Merged {
  const value: RecordValue = {};
  const conflicts: string[] = [];
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const takesMine = !isDeepStrictEqual(mine[field], base[field]);
    const taken = takesMine ? mine[field] : theirs[field];
    if (taken !== undefined) value[field] = taken;
    const differs = !isDeepStrictEqual(theirs[field], base[field]) && !isDeepStrictEqual(mine[field], theirs[field]);
    if (takesMine && differs && field !== 'at') conflicts.push(field);
  }
  return { value, conflicts };
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
  await trx.updateTable('content_records').set({ draft: number }).where('id', '=', record.id).execute();
  return number;
}

/** Takes the draft off its record: it was published, or thrown away. Its revision stays in the history. */
export async function liftDraft(trx: Db, id: number): Promise<void> {
  await trx.updateTable('content_records').set({ draft: null }).where('id', '=', id).execute();
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
export async function makeRecord(trx: Db, kind: RecordKind, key: string): Promise<RecordRef | null> {
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

/** Which value a field takes that two people changed. */
export type Side = 'mine' | 'theirs' | 'before';

/** The typed form of a record. */
export type Edit = {
  id: number;
  /** The newest revision that stood on the page; 0 for none. */
  base: number;
  /** The published revision that the changes are counted from; 0 for none. */
  onto: number;
  /** The fields that can be typed. */
  typed: RecordValue;
  /** For fields that two people changed: the two revisions that the page offered, and the chosen one. */
  chosen?: { theirs: number; before: number; sides: Readonly<Record<string, Side>> };
  note: string | null;
  /** The revision that retired the record, if the page said so. */
  retired?: number;
};
/**
 * Somebody else changed the same fields (P71). Nothing was stored; `value` has what can be merged, with mine for these.
 */
export type BothChanged = {
  ok: false;
  reason: 'both-changed';
  value: RecordValue;
  fields: string[];
  theirs: Revision;
  before: Revision | undefined;
  base: number;
  onto: number;
};
type Settled = { ok: true; standing: Standing; value: RecordValue; base: number };

/** Merges the typed values with the changes of others since (P71). */
export function settle(standing: Standing, edit: Edit): Settled | BothChanged {
  const { revisions, current } = standing;
  const revision = (number: number) => revisions.find((one) => one.number === number);
  const newest = newestOf(standing);
  let value = withFixed(standing, chosenOf(edit, revision, edit.typed));
  let { onto } = edit;
  if (newest && newest.number !== edit.base) {
    const seen = revision(edit.base);
    onto = publishedBaseOf(newest);
    const theirs = withFixed(standing, newest.value);
    const merged = mergeValues({ base: seen?.value, mine: value, theirs });
    if (merged.conflicts.length > 0) {
      return both(merged, { theirs: newest, before: seen, base: newest.number, onto });
    }
    value = merged.value;
  }
  if (current && newest && onto !== current.number) {
    const from = revision(onto);
    const merged = mergeValues({ base: from?.value, mine: value, theirs: current.value });
    if (merged.conflicts.length > 0) {
      return both(merged, { theirs: current, before: from, base: newest.number, onto: current.number });
    }
    value = merged.value;
  }
  return { ok: true, standing, value, base: current?.number ?? 0 };
}

const both = (
  { value, conflicts }: Merged,
  rest: Pick<BothChanged, 'theirs' | 'before' | 'base' | 'onto'>,
): BothChanged => ({ ok: false, reason: 'both-changed', value, fields: conflicts, ...rest });

/**
 * A value with the fields that no form has as they are published: the prices of a course that is for sale come from the
 * ledger (P76).
 */
export function withFixed(standing: Standing, typed: RecordValue): RecordValue {
  const { record, current } = standing;
  const typable = new Set(fieldsToType(record.kind, current !== undefined).map(({ name }) => name));
  const fixed = (current ?? standing.draft)?.value;
  const value = { ...typed };
  for (const { name } of fieldsOf(record.kind)) {
    if (typable.has(name)) continue;
    const kept = fixed?.[name];
    if (kept === undefined) delete value[name];
    else value[name] = kept;
  }
  return value;
}

function chosenOf(
  { chosen }: Edit,
  revision: (number: number) => Revision | undefined,
  value: RecordValue,
): RecordValue {
  const result = { ...value };
  for (const [field, side] of Object.entries(chosen?.sides ?? {})) {
    if (side === 'mine' || !chosen) continue;
    const taken = revision(chosen[side])?.value[field];
    if (taken === undefined) delete result[field];
    else result[field] = taken;
  }
  return result;
}
