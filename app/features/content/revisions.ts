import { fieldsChanged, type RecordKind, type RecordValue } from './records.ts';

/** Who made a revision. `found`: somebody changed the rows without one, which was noticed at the next revision. */
export type Author = { person: number } | 'import' | 'command line' | 'found';

/** A record of content wherever it is kept; `key` is its present slug or name. */
export type RecordRef = { id: number; kind: RecordKind; key: string };

/** A record as it was published or retired at an instant, or as it is meant to be (P70). */
export type Revision = {
  /** Counts from 1 in each record. */
  number: number;
  /** Of those published or retired the newest holds. */
  state: 'published' | 'draft' | 'scheduled' | 'retired';
  /** The whole record; of a retired one, as it was last. */
  value: RecordValue;
  /** The number of the revision that it was made from; null for the first of its author. */
  base: number | null;
  author: Author;
  at: Date;
  /** Of a scheduled one only. */
  publishAt: Date | null;
  note: string | null;
};

/** What one revision has otherwise than another; undefined where it has no such field. */
export type FieldChange = { field: string; before: unknown; after: unknown };

/** The fields of which two revisions of a record differ. */
export function compareRevisions(before: Pick<Revision, 'value'>, after: Pick<Revision, 'value'>): FieldChange[] {
  return fieldsChanged(before.value, after.value).map((field) => ({
    field,
    before: before.value[field],
    after: after.value[field],
  }));
}

/** The newest of those published or retired: what holds. Undefined where there are drafts only. */
export function currentOf(revisions: readonly Revision[]): Revision | undefined {
  return revisions.filter(({ state }) => state === 'published' || state === 'retired').at(-1);
}

/** A record's address and place: reverting its texts leaves them, because links and lists go by them. */
const whereItStands = ['slug', 'aliases', 'at'];

/** The value of an earlier revision as it can be published again after the latest one. */
export function valueToRevertTo(earlier: RecordValue, latest: RecordValue): RecordValue {
  const staying = (value: RecordValue, stays: boolean) =>
    Object.fromEntries(Object.entries(value).filter(([field]) => whereItStands.includes(field) === stays));
  return { ...staying(earlier, false), ...staying(latest, true) };
}
