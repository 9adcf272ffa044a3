import { dayOf } from './day-text.ts';
import { formatCount } from './money.ts';

/** The types of sort keys: an instant to the microsecond, a day, a whole number, or text. */
export type KeyKind = 'moment' | 'day' | 'whole' | 'text';

/** A row of a list by its key and id, which are unique together. */
export type RowKey = { key: string; id: number };
/** The start of a page: the rows after a row, or the rows before it. */
export type Cursor = RowKey & { at: 'after' | 'before' };

const mostKey = 320;
const fits: Record<KeyKind, (key: string) => boolean> = {
  moment: (key) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(key) && !Number.isNaN(Date.parse(key)),
  day: (key) => key === 'infinity' || dayOf(key) !== null,
  whole: (key) => /^-?\d{1,15}$/.test(key),
  text: (key) => key.length <= mostKey && key.isWellFormed() && !key.includes('\0'),
};

/** A row as addresses name it: `12.2026-11-22T05:55:00.000000Z`. */
export const textOfKey = ({ key, id }: RowKey): string => `${id}.${key}`;

/** The row that an address names; null where it names none, or one with a key of another kind. */
export function keyOfText(text: string, kind: KeyKind): RowKey | null {
  const [, digits = '', key = ''] = /^(\d{1,15})\.(.*)$/s.exec(text) ?? [];
  return digits !== '' && fits[kind](key) ? { key, id: Number(digits) } : null;
}

/** How many rows are counted one by one; further ones are "more than" it. */
export const mostCounted = 10_000;

/** The position of a page in its list. `total` is the number of rows, or the number counted when there are `more`. */
export type Standing = { before: number | null; shown: number; total: number; more: boolean };

/** `1 to 50 of 186`, `51 to 100 of more than 10,000`; without its beginning where that was not counted. */
export function standingText({ before, shown, total, more }: Standing): string {
  const all = `${more ? 'more than ' : ''}${formatCount(total)}`;
  if (shown === 0) return more ? `0 of ${all}` : '0';
  if (before === null) return `${shown} of ${all}`;
  return `${formatCount(before + 1)} to ${formatCount(before + shown)} of ${all}`;
}
