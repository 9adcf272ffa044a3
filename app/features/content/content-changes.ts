import type { AuditChange } from '#app/audit/changes.ts';
import { fieldsChanged, type RecordKind, type RecordValue } from './records.ts';

/** Kinds whose texts are about people: the trace names the fields alone. */
const aboutPeople: readonly RecordKind[] = ['instructor'];
const longest = 200;

/**
 * The fields that an act changed, for the trace (P69). Long texts and lists stand in the revisions, which are kept for
 * good: of them the trace says how long they were and are. Texts about people are left out.
 */
export function contentChanges(kind: RecordKind, before: RecordValue | null, after: RecordValue | null): AuditChange[] {
  if (aboutPeople.includes(kind)) return [];
  return fieldsChanged(before ?? {}, after ?? {}).flatMap((field) => {
    const change = { field, before: inTrace(before?.[field]), after: inTrace(after?.[field]) };
    return change.before === change.after ? [{ ...change, after: `${change.after}, changed` }] : [change];
  });
}

function inTrace(value: unknown): AuditChange['before'] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.length <= longest ? value : `${value.length} characters`;
  const text = JSON.stringify(value);
  if (text.length <= longest) return text;
  return Array.isArray(value) ? `${value.length} entries` : `${text.length} characters`;
}
