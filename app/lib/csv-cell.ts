import { academyZone } from './academy-day.ts';
import { showControlCharacters } from './show-control-characters.ts';
import { instantWithOffset } from './wall-clock.ts';

/** Signs at which a spreadsheet takes a cell for a formula, in both widths, also behind what cannot be seen. */
const formula = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** A quoted cell (RFC 4180) that no spreadsheet takes for a formula. */
export function csvCell(text: string): string {
  const safe = formula.test(text) || /^[\t\r]/.test(text) ? `'${text}` : text;
  return `"${showControlCharacters(safe).replaceAll('"', '""')}"`;
}

/** The value of a cell. Numbers are written as they are, also below zero; money is written in dollars with cents. */
export type CsvValue = string | number | { cents: number } | null;

/** The columns of a file by their titles, each with its value for a row. Days as 2027-02-15, amounts in dollars. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

/** An instant as the pages show it, by Brisbane's clock: `2025-09-15T09:00:12+10:00`. */
export const csvInstant = (at: Date): string => instantWithOffset(academyZone, at);

/** A line of a file with its end (RFC 4180): every text quoted and safe, numbers bare, nothing for null. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(',')}\r\n`;

function cellOf(value: CsvValue): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null) return (value.cents / 100).toFixed(2);
  return csvCell(value ?? '');
}

/** The byte order mark, by which spreadsheets know that a file is UTF-8. */
export const byteOrderMark = '\uFEFF';
