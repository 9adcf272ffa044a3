import type { Merge } from './merge.ts';
import { type ContentRecord, fieldsChanged, type RecordKind, renameCourses } from './records.ts';
import type { SessionsLeft } from './sessions-to-make.ts';

export type PlannedRecord = { kind: RecordKind; key: string };

/** The changes to write. Keys are the database's. */
export type Plan = {
  added: PlannedRecord[];
  changed: (PlannedRecord & { fields: string[] })[];
  retired: PlannedRecord[];
  unchanged: number;
  /** Slugs that change: `key` is the one in the database now. */
  renamed: (PlannedRecord & { to: string })[];
};

/** The members of a list that are to be written, each with its place in the list. */
export type ToWrite = <T extends { slug: string }>(
  kind: RecordKind,
  list: readonly T[],
) => { item: T; position: number }[];

/** The plan of an import: what it writes and what it leaves. */
export type ImportPlan = Plan & Pick<Merge, 'kept' | 'conflicts'> & { sessions: SessionsLeft };

/** Records with the slugs they are to have: those that refer to a renamed course follow it. */
export function withFinalSlugs(records: ContentRecord[]): ContentRecord[] {
  const courses = new Map(
    records.filter(({ kind }) => kind === 'course').map(({ key, value }) => [key, String(value.slug)]),
  );
  return records.map((record) => renameCourses(record, (slug) => courses.get(slug) ?? slug));
}

/** The changes that turn the database's records into the merged ones. */
export function planOf(ours: ContentRecord[], merged: ContentRecord[]): Plan {
  const before = new Map(ours.map((record) => [idOf(record), record]));
  const plan: Plan = { added: [], changed: [], retired: [], unchanged: 0, renamed: [] };
  for (const record of merged) {
    const { kind, key, value } = record;
    const was = before.get(idOf(record));
    before.delete(idOf(record));
    if (!was) {
      plan.added.push({ kind, key });
      continue;
    }
    const fields = fieldsChanged(was.value, value);
    if (fields.length > 0) plan.changed.push({ kind, key, fields });
    else plan.unchanged++;
    if (typeof value.slug === 'string' && value.slug !== was.value.slug) {
      plan.renamed.push({ kind, key, to: value.slug });
    }
  }
  for (const { kind, key } of before.values()) plan.retired.push({ kind, key });
  return plan;
}

/** True when nothing would be written. */
export function isEmpty(plan: Plan): boolean {
  return plan.added.length + plan.changed.length + plan.retired.length === 0;
}

const idOf = ({ kind, key }: PlannedRecord) => `${kind} ${key}`;
