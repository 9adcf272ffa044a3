import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { addDays, type Day } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { centsOf, dayOf, decoded, delimiterOf } from './statement-cells.ts';
import { type Columns, columnsOf } from './statement-columns.ts';

/** Money that came in or went out, as a line of a bank statement has it. */
export type StatementLine = {
  /** Its number in the file, from 1, empty lines not counted. */
  line: number;
  day: Day;
  /** Above zero: it came in; below: it went out. */
  amountCents: Cents;
  words: string;
  /** Marks that tell it from other lines of the same day and amount, in every form of file. */
  marks: LineMarks;
};

type LineMarks = {
  /** The running balance after it; null when the file has none. */
  balanceCents: Cents | null;
  /** Hashes of its cells that are neither date, amount nor balance, nor empty. */
  cells: string[];
  /** All cells but the date, in small letters: what payments recorded by an older program had as their words. */
  texts: string[];
};

export type Statement =
  | {
      ok: true;
      /** In the order of the file. */
      lines: StatementLine[];
      /** Lines that could not be read, and why. */
      faults: { line: number; why: string }[];
    }
  | { ok: false; why: string };

/** More than any payment here; a larger amount is a number of something else. */
const mostCents = 100_000_000;
const mostWords = 2000;

/**
 * Reads the CSV that a bank offers for download, with or without headings, separated by commas, semicolons or tabs:
 * CommBank, NAB, Westpac, ANZ and those that name their columns alike. Amounts are signed, or stand in columns for debit
 * and credit. A line that cannot be read, has a day after `today` (the academy's) or more than three years before, or an
 * amount over AU$1,000,000, is a fault and stops only itself. Large files are read in slices, so that others get their
 * turn in between.
 */
export async function readStatement(file: Uint8Array | string, today: Day): Promise<Statement> {
  const text = typeof file === 'string' ? file : decoded(file);
  const rows = await rowsIn(text);
  if (rows === null) {
    return { ok: false, why: 'This is not a CSV file, or it was cut off: a quoted field does not end.' };
  }
  if (rows.length === 0) return { ok: false, why: 'The file is empty.' };
  const columns = columnsOf(rows);
  if (typeof columns === 'string') return { ok: false, why: columns };
  const lines: StatementLine[] = [];
  const faults: { line: number; why: string }[] = [];
  const balanceOf = balancesOf(rows, columns);
  const span = { first: addDays(today, -3 * 365), last: today };
  for (const [at, row] of rows.entries()) {
    if (at <= columns.head) continue;
    if (at % rowsAtOnce === 0) await setImmediate();
    const read = readLine(row, columns, span);
    if (typeof read === 'string') faults.push({ line: at + 1, why: read });
    else if (read.amountCents !== 0) {
      const { words, ...rest } = read;
      lines.push({ line: at + 1, ...rest, words, marks: marksOf(row, columns, balanceOf(row)) });
    }
  }
  return { ok: true, lines, faults };
}

/** Some milliseconds of work each. */
const bytesAtOnce = 32 * 1024;
const rowsAtOnce = 500;

/** The cells of a CSV; null when it is none. */
async function rowsIn(text: string): Promise<string[][] | null> {
  const lenient = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true };
  const parser = parse({ bom: true, delimiter: delimiterOf(text), ...lenient });
  const rows: string[][] = [];
  const ended = new Promise<boolean>((settle) => {
    parser.on('error', () => settle(false));
    parser.on('end', () => settle(true));
  });
  parser.on('data', (row: string[]) => rows.push(row));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !parser.destroyed; at += bytesAtOnce) {
    parser.write(bytes.subarray(at, at + bytesAtOnce));
    await setImmediate();
  }
  if (!parser.destroyed) parser.end();
  return (await ended) ? rows : null;
}

function readLine(row: readonly string[], columns: Columns, { first, last }: { first: Day; last: Day }) {
  const date = row[columns.date] ?? '';
  const day = dayOf(date);
  if (row.some((cell) => cell.includes('\0'))) return 'It has bytes that are not text.';
  if (day === null) return `“${date.slice(0, 40)}” is not a date such as 24/09/2025.`;
  if (day > last) return `“${date.slice(0, 40)}” is in the future.`;
  if (day < first) return `“${date.slice(0, 40)}” is more than three years ago.`;
  const amountCents = columns.amount(row);
  if (amountCents === null) return 'The amount is missing or is not a number such as 1,234.50.';
  if (Math.abs(amountCents) > mostCents) return `The amount is over ${formatMoney(mostCents)}.`;
  const words = wordsOf(row, columns.words);
  if (words.length > mostWords) return 'Its description is too long.';
  return { day, amountCents, words };
}

function wordsOf(row: readonly string[], columns: readonly number[]): string {
  const parts = columns.map((at) => row[at] ?? '').filter((part) => part !== '');
  return parts.join(' ').replaceAll(/\s+/g, ' ');
}

/** Reads the running balance. One that is the same on every line is the account's balance of now, and says nothing. */
function balancesOf(rows: readonly (readonly string[])[], { balance, head }: Columns) {
  const read = (row: readonly string[]) => (balance === null ? null : centsOf(row[balance] ?? ''));
  const [first, ...others] = rows.slice(head + 1);
  const still = first !== undefined && others.length > 0 && others.every((row) => read(row) === read(first));
  return (row: readonly string[]): Cents | null => {
    const cents = still ? null : read(row);
    return cents !== null && Number.isSafeInteger(cents) ? cents : null;
  };
}

function marksOf(row: readonly string[], columns: Columns, balanceCents: Cents | null): LineMarks {
  const small = (cell: string) => cell.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  const cells = columns.others.map((at) => small(row[at] ?? '')).filter((cell) => cell !== '');
  const hash = (cell: string) => createHash('sha256').update(cell).digest('base64url').slice(0, 22);
  const texts = row.flatMap((cell, at) => (at === columns.date || cell === '' ? [] : [small(cell)]));
  return { balanceCents, cells: cells.map(hash), texts };
}
