import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** Money that came in, as a line of a bank statement has it. */
export type StatementLine = {
  /** Of the file, from 1, empty lines not counted. */
  line: number;
  day: Day;
  amountCents: Cents;
  words: string;
  /**
   * What tells it from every other payment: day, amount, words, and the how-manieth such line of the day it is. So the
   * same statement, or one that overlaps, brings the same sources, and two equal payments on a day bring two.
   */
  source: string;
};

export type Statement =
  | {
      ok: true;
      lines: StatementLine[];
      /** How many lines are no money that came in. */
      outgoing: number;
      /** Lines that could not be read, and why. */
      faults: { line: number; why: string }[];
    }
  | { ok: false; why: string };

/**
 * Reads the CSV that a bank offers for download, with or without headings: CommBank, NAB, Westpac, ANZ and those that
 * name their columns alike. Amounts are signed, or stand in columns for debit and credit; days are 24/09/2025 or
 * 24 Sep 25.
 */
export function readStatement(text: string): Statement {
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch {
    return { ok: false, why: 'This is not a CSV file, or it was cut off: a quoted field does not end.' };
  }
  const [first = []] = rows;
  const headed = first.every((cell) => dayOf(cell) === null);
  const columns = headed ? columnsByName(first) : columnsByKind(first);
  if (rows.length === 0) return { ok: false, why: 'The file is empty.' };
  if (!columns) return { ok: false, why: 'No columns for date and amount were found in the first line.' };
  const found: Omit<StatementLine, 'source'>[] = [];
  const faults: { line: number; why: string }[] = [];
  let outgoing = 0;
  for (const [at, row] of rows.entries()) {
    if (headed && at === 0) continue;
    const line = at + 1;
    const day = dayOf(row[columns.date] ?? '');
    const amountCents = columns.amount(row);
    if (day === null) faults.push({ line, why: `“${row[columns.date] ?? ''}” is not a date such as 24/09/2025.` });
    else if (amountCents === null) faults.push({ line, why: 'The amount is missing or is not a number.' });
    else if (amountCents <= 0) outgoing++;
    else found.push({ line, day, amountCents, words: wordsOf(row, columns.words) });
  }
  return { ok: true, lines: withSources(found), outgoing, faults };
}

type Columns = { date: number; amount(row: readonly string[]): Cents | null; words: number[] };

/** Of a file whose first line names its columns; null when date or amount is missing. */
function columnsByName(names: readonly string[]): Columns | null {
  const find = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const [date, amount] = [find(/\bdate\b/i), find(/^(transaction )?amount\b/i)];
  const [debit, credit] = [find(/debit|withdrawal|money out/i), find(/credit|deposit|money in/i)];
  const words = names.flatMap((name, at) =>
    /narrative|description|detail|reference|particulars|payee|memo/i.test(name) ? [at] : [],
  );
  if (date === -1 || (amount === -1 && credit === -1)) return null;
  if (amount !== -1) return { date, words, amount: (row) => centsOf(row[amount] ?? '') };
  return {
    date,
    words,
    amount: (row) => {
      const [inward, outward] = [row[credit] ?? '', debit === -1 ? '' : (row[debit] ?? '')];
      if (inward !== '' && centsOf(inward) !== 0) return centsOf(inward);
      const paid = centsOf(outward);
      return paid === null ? null : -Math.abs(paid);
    },
  };
}

/** Of a file without headings, as CommBank and ANZ have it: date, amount, words, balance. */
function columnsByKind(row: readonly string[]): Columns | null {
  const date = row.findIndex((cell) => dayOf(cell) !== null);
  const amount = row.findIndex((cell, at) => at !== date && centsOf(cell) !== null);
  if (date === -1 || amount === -1) return null;
  const words = row.flatMap((cell, at) => (at !== date && centsOf(cell) === null && cell !== '' ? [at] : []));
  return { date, words, amount: (cells) => centsOf(cells[amount] ?? '') };
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `24/09/2025`, `24-9-25`, `24 Sep 25`; null for what is no day. */
function dayOf(text: string): Day | null {
  const found = /^(\d{1,2})[/ -](\d{1,2}|[a-z]{3})[a-z]*[/ -](\d{4}|\d{2})$/i.exec(text.trim());
  const [, date = '', month = '', year = ''] = found ?? [];
  if (!found) return null;
  const number = /\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1;
  const day = `${year.padStart(4, '20')}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`;
  const time = Date.parse(`${day}T00:00:00Z`);
  // 31 February would become 3 March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day;
}

/** `+2,299.00`, `-$12.50`, `(12.50)`, `2299 CR`; null for what is no amount. */
function centsOf(text: string): Cents | null {
  const plain = text.replaceAll(/[\s,$]|AUD?/gi, '');
  const found = /^(\()?([+-])?(\d+)(?:\.(\d{1,2}))?(\))?(CR|DR)?$/i.exec(plain);
  if (!found) return null;
  const [, open, sign, whole = '0', part = '', , side] = found;
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  return open || sign === '-' || side?.toUpperCase() === 'DR' ? -cents : cents;
}

function wordsOf(row: readonly string[], columns: readonly number[]): string {
  const parts = columns.map((at) => row[at] ?? '').filter((part) => part !== '');
  return parts.join(' ').replaceAll(/\s+/g, ' ');
}

function withSources(lines: readonly Omit<StatementLine, 'source'>[]): StatementLine[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const what = `${line.day} ${line.amountCents} ${line.words.toLowerCase()}`;
    const count = (seen.get(what) ?? 0) + 1;
    seen.set(what, count);
    const hash = createHash('sha256').update(what).digest('base64url').slice(0, 22);
    return { ...line, source: `bank:${line.day}:${hash}:${count}` };
  });
}
