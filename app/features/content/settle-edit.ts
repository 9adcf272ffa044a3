import { newestOf, publishedBaseOf, type Standing } from './drafts.server.ts';
import { fieldsOf, fieldsToType } from './form/fields.ts';
import { mergeValues } from './merge.ts';
import type { RecordValue } from './records.ts';
import type { Revision } from './revisions.ts';

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
  /** For fields that two people changed: the two revisions that the page offered, and the choice. */
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

/** Merges the typed values with the changes of others since, as an import does (decision 17). */
export function settle(standing: Standing, edit: Edit): Settled | BothChanged {
  const { record, revisions, current } = standing;
  const revision = (number: number) => revisions.find((one) => one.number === number);
  const newest = newestOf(standing);
  let value = withFixed(standing, chosenOf(edit, revision, edit.typed));
  let { onto } = edit;
  if (newest && newest.number !== edit.base) {
    const seen = revision(edit.base);
    onto = publishedBaseOf(newest);
    const theirs = withFixed(standing, newest.value);
    const merged = mergeValues(record, { base: seen?.value, ours: value, theirs });
    if (merged.conflicts.length > 0) {
      return both(merged, { theirs: newest, before: seen, base: newest.number, onto });
    }
    value = merged.value;
  }
  if (current && newest && onto !== current.number) {
    const from = revision(onto);
    const merged = mergeValues(record, { base: from?.value, ours: value, theirs: current.value });
    if (merged.conflicts.length > 0) {
      return both(merged, { theirs: current, before: from, base: newest.number, onto: current.number });
    }
    value = merged.value;
  }
  return { ok: true, standing, value, base: current?.number ?? 0 };
}

const both = (
  { value, conflicts }: ReturnType<typeof mergeValues>,
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
