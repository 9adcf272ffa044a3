import { csvCell } from '#app/lib/csv-cell.ts';
import type { OwnData } from './own-data.ts';

/**
 * One's own data as a table with a line for each value (RFC 4180, P58): the kind of record, which record of that kind,
 * the path of the value in it and the value. No cell is a formula to a spreadsheet. Empty values are left out.
 */
export function dataAsCsv(data: OwnData): string {
  const lines = [['kind', 'record', 'field', 'value']];
  for (const [kind, records] of Object.entries(data)) {
    records.forEach((record, at) => {
      for (const [field, value] of valuesOf(plain(record), '')) lines.push([kind, String(at + 1), field, value]);
    });
  }
  // The mark at the beginning tells spreadsheets that the letters are UTF-8.
  return `\uFEFF${lines.map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** As JSON has it: times as text. */
const plain = (record: object): unknown => JSON.parse(JSON.stringify(record));

function valuesOf(value: unknown, path: string): [string, string][] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  const parts = Array.isArray(value)
    ? value.map((one, at): [string, unknown] => [String(at + 1), one])
    : Object.entries(value);
  return parts.flatMap(([name, part]) => valuesOf(part, path === '' ? name : `${path}.${name}`));
}
