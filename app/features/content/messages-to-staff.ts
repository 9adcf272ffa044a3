import type { RecordFault } from './check-record.ts';
import { afterLabel } from './faults.ts';
import { fieldsOf } from './form/fields.ts';
import type { RecordKind } from './records.ts';

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
