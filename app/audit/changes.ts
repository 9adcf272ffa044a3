/** Null: not there. Money is in cents, a day or a time of day is text, people are named by reference only. */
type AuditValue = string | number | boolean | null;

/** A field that an act changed of content, prices, course dates, settings or money (P69). */
export type AuditChange = { field: string; before: AuditValue; after: AuditValue };

type Fields = Readonly<Record<string, AuditValue>>;

/** The fields that differ. A new record has no values before; a removed one has none after. */
export function changesBetween(before: Fields, after: Fields): AuditChange[] {
  return Object.keys({ ...before, ...after })
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => change.before !== change.after);
}
