import { fieldsChanged, type RecordKind, type RecordValue } from './records.ts';

/** Who made a revision. `found`: somebody changed the rows directly, and the next writer recorded it. */
export type Author = { person: number } | 'import' | 'command line' | 'found';

/** A record of content wherever it is kept; `key` is its present slug or name. */
export type RecordRef = { id: number; kind: RecordKind; key: string };

/** A record as it was published or retired at an instant, or as it is meant to be (P70). */
export type Revision = {
  /** Counts from 1 in each record. */
  number: number;
  /** The newest revision that is published or retired is in force. */
  state: 'published' | 'draft' | 'scheduled' | 'retired';
  /** The whole record; of a retired one, as it was last. */
  value: RecordValue;
  /** The number of the revision that it was made from; null for the first of its author. */
  base: number | null;
  author: Author;
  at: Date;
  /** Set for scheduled revisions only. */
  publishAt: Date | null;
  note: string | null;
};

/** A field that differs between two revisions; undefined where a revision has no such field. */
export type FieldChange = { field: string; before: unknown; after: unknown };

/** Lists the fields that differ between two revisions of a record. */
export function compareRevisions(before: Pick<Revision, 'value'>, after: Pick<Revision, 'value'>): FieldChange[] {
  return fieldsChanged(before.value, after.value).map((field) => ({
    field,
    before: before.value[field],
    after: after.value[field],
  }));
}

/** The revision in force: the newest that is published or retired. Undefined when there are only drafts. */
export function currentOf(revisions: readonly Revision[]): Revision | undefined {
  return revisions.filter(({ state }) => state === 'published' || state === 'retired').at(-1);
}

/**
 * What reverting the texts of a record leaves: its address and place, because links and lists go by them, and prices,
 * which have a ledger of their own (P76).
 */
const staysAsItIs = ['slug', 'aliases', 'at', 'price', 'originalPrice'];

/** The value of an earlier revision as it can be published again after the latest one. */
export function valueToRevertTo(earlier: RecordValue, latest: RecordValue): RecordValue {
  const staying = (value: RecordValue, stays: boolean) =>
    Object.fromEntries(Object.entries(value).filter(([field]) => staysAsItIs.includes(field) === stays));
  return { ...staying(earlier, false), ...staying(latest, true) };
}
