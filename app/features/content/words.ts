/** Content in words for staff, their emails and the trace. */
import type { AuditChange } from '#app/audit/changes.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';
import type { RecordFault } from './check-record.ts';
import { afterLabel } from './form/field.ts';
import { fieldsOf } from './form/fields.ts';
import { fieldsChanged, type RecordKind, type RecordValue } from './records.ts';

/** A message of the check as staff read it: fields by their labels, without the numbers of our rules. */
export function messageToStaff(kind: RecordKind, message: string): string {
  const named = fieldsOf(kind).reduce((text, { name, label }) => text.replaceAll(`"${name}"`, `“${label}”`), message);
  return named.replaceAll(/ \(P\d+\)/g, '');
}

/** `Description: must have at least 140 characters`. */
export function faultInWords(kind: RecordKind, { path, message }: RecordFault): string {
  const words = messageToStaff(kind, message);
  return path.length === 0 ? words : `${labelOf(kind, String(path[0]))}: ${afterLabel(words)}`;
}

/** The label of a field in the form. */
export const labelOf = (kind: RecordKind, field: string): string =>
  fieldsOf(kind).find(({ name }) => name === field)?.label ?? field;

/** `7 December 2026, 9:00 AM in Brisbane` */
export const inBrisbane = (instant: Date): string =>
  `${formatDay(academyDay(instant))}, ${formatTime(wallClockAt(academyZone, instant).time)} in Brisbane`;

/** Kinds whose texts are about people: the trace names the fields alone. */
const aboutPeople: readonly RecordKind[] = ['instructor'];
const longest = 200;

/** Letters that two texts share before and behind what differs, as far as the trace shows them. */
const around = 40;

/** What differs of two long texts with some of the text around it; the whole text where that is longer still. */
function differing(before: string, after: string): readonly [string, string] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [from, to] = [Math.max(0, start - around), Math.max(0, end - around)];
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, text.length - to)}${to > 0 ? '…' : ''}`;
  return [cut(before), cut(after)];
}

/**
 * The fields that an act changed, for the trace (P69). Long texts and lists are in the revisions, which are kept for
 * good: the trace has what differs, or their lengths before and after. Texts about people are left out.
 */
export function contentChanges(kind: RecordKind, before: RecordValue | null, after: RecordValue | null): AuditChange[] {
  if (aboutPeople.includes(kind)) return [];
  return fieldsChanged(before ?? {}, after ?? {}).flatMap((field) => {
    const [was, is] = [before?.[field], after?.[field]];
    const [one, other] =
      typeof was === 'string' && typeof is === 'string' && Math.max(was.length, is.length) > longest
        ? differing(was, is)
        : [was, is];
    const change = { field, before: inTrace(one), after: inTrace(other) };
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
