import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const time = String.raw`\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?`;
const timeAround = new RegExp(`^${time} +|[T ] *${time} *(?:Z|[+-]\\d\\d:?\\d\\d)?$`, 'gi');

/** Reads `24/09/2025`, `24-9-25`, `24 Sep 25`, `2025-09-24` or `20250924`, also with a time; null for any other text. */
export function dayOf(cell: string): Day | null {
  const text = cell.trim().replaceAll(timeAround, '');
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? /^(20\d{2})(\d{2})(\d{2})$/.exec(text);
  if (iso) return existing(`${iso[1]}-${iso[2]}-${iso[3]}`);
  const found = /^(\d{1,2})[/ -](\d{1,2}|[a-z]{3})[a-z]*[/ -](\d{4}|\d{2})$/i.exec(text);
  const [, date = '', month = '', year = ''] = found ?? [];
  if (!found) return null;
  const number = /\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1;
  return existing(`${year.padStart(4, '20')}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`);
}

/** Whether it is a date only with the month before the day, as in `10/15/2025`. */
export const isMonthFirst = (text: string) =>
  dayOf(text) === null && dayOf(text.trim().replace(/^(\d{1,2})([/ -])(\d{1,2})(?=[/ -])/, '$3$2$1')) !== null;

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Null for a day that does not exist, such as 31 February. */
function existing(day: Day): Day | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && date >= 1 && date <= last ? day : null;
}

/** Reads `+2,299.00`, `-$12.50`, `(12.50)` or `2299 CR` as cents; null for any other text, such as `12,50`. */
export function centsOf(text: string): Cents | null {
  // Most cells are words: they need no closer look.
  if (text.length > 40 || !/\d/.test(text)) return null;
  const plain = text.replaceAll(/[\s$]|AUD?/gi, '');
  // A comma separates thousands only: before exactly three digits.
  const found = /^(\()?([+-])?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?(\))?(CR|DR)?$/i.exec(plain);
  if (!found) return null;
  const [, open, sign, whole = '0', part = '', , side] = found;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
  return open || sign === '-' || side?.toUpperCase() === 'DR' ? -cents : cents;
}

/** Whether it is written as money is: with cents, a sign or a separator, as no number of an account is. */
export const looksLikeMoney = (text: string) => centsOf(text) !== null && /[.,+$()-]/.test(text);

/** The text of a file: UTF-8, or Windows-1252 where it is not valid UTF-8; UTF-16 by its mark. */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Comma, semicolon or tab: the most frequent outside of quotes in the first lines. */
export function delimiterOf(text: string): string {
  const sample = text.slice(0, 10_000).replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => sample.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
