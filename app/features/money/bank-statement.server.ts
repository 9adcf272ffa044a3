import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { addDays, type Day } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { centsOf, dayOf, decoded, delimiterOf, isMonthFirst, looksLikeMoney } from './statement-cells.ts';
import { type Columns, columnsOf } from './statement-columns.ts';

/** A row of a file, and the number of its first line, from 1, as an editor counts them. */
type StatementRow = { line: number; cells: string[] };
/** A line that cannot be read, and why. */
type LineFault = { line: number; why: string };

const unpaired = 'A quote in it does not end, or takes in the payments below, so nobody can tell its cells apart.';
/** Some milliseconds of work. */
const rowsAtOnce = 500;
/** More than any bank needs for one description. */
const mostLinesOfRow = 20;

/**
 * The rows of a CSV. A quoted cell may hold line breaks, but never a line that has a date and an amount: a quote that
 * somebody forgot would take in the payments below it. A line whose quotes do not pair stops only itself.
 */
async function rowsIn(text: string): Promise<{ rows: StatementRow[]; faults: LineFault[] }> {
  const delimiter = delimiterOf(text);
  const lines = text.split(text.includes('\n') ? /\r?\n/ : '\r');
  const rows: StatementRow[] = [];
  const faults: LineFault[] = [];
  for (let at = 0, turn = 1; at < lines.length; turn++) {
    if (turn % rowsAtOnce === 0) await setImmediate();
    const row = rowFrom(lines.slice(at, at + mostLinesOfRow), delimiter);
    if (row === null) faults.push({ line: at + 1, why: unpaired });
    else if (row.cells.length > 1 || row.cells[0] !== '') rows.push({ line: at + 1, cells: row.cells });
    at += row?.height ?? 1;
  }
  return { rows, faults };
}

/** The row that the first of the lines begins; null when its quotes do not pair, or take in another payment. */
function rowFrom(lines: readonly string[], delimiter: string): { cells: string[]; height: number } | null {
  let text = '';
  const dates: string[] = [];
  for (const [at, line] of lines.entries()) {
    text += at === 0 ? line : `\n${line}`;
    dates.push(...dateOfPayment(line, delimiter));
    if (dates.length > 1) return null;
    const cells = cellsOf(text, delimiter);
    if (cells === 'wrong') return null;
    if (cells === 'open') continue;
    // A date that is within a cell of words is that of a payment which the quote took in.
    return at === 0 || dates.every((date) => cells.includes(date)) ? { cells, height: at + 1 } : null;
  }
  return null;
}

/** The date of a line that has a date and an amount, as a payment has; of words that hold a date, none. */
function dateOfPayment(line: string, delimiter: string): string[] {
  const cells = line.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, '').trim());
  const date = cells.find((cell) => dayOf(cell) !== null || isMonthFirst(cell));
  return date !== undefined && cells.some(looksLikeMoney) ? [date] : [];
}

/** The cells of a row; `open` when a quote does not end, `wrong` when something follows the end of one. */
function cellsOf(text: string, delimiter: string): string[] | 'open' | 'wrong' {
  const blank = `[^\\S${delimiter}]*`;
  const cell = new RegExp(
    `${blank}(?:"([^"]*(?:""[^"]*)*)"${blank}|([^"\\s${delimiter}][^${delimiter}]*)?)(${delimiter}|$)`,
    'y',
  );
  const cells: string[] = [];
  for (;;) {
    const from = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) return /^\s*"[^"]*(?:""[^"]*)*$/.test(text.slice(from)) ? 'open' : 'wrong';
    const [, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === '') return cells;
  }
}

/** Money that came in or went out, as a line of a bank statement has it. */
export type StatementLine = {
  /** The line's number in the file, from 1, as an editor counts them. */
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
      /** Lines that could not be read, in their order. */
      faults: LineFault[];
    }
  | { ok: false; why: string };

/** More than any payment here; a larger amount is a number of something else. */
const mostCents = 100_000_000;
const mostWords = 2000;

/**
 * Reads the CSV that a bank offers for download, with or without headings, separated by commas, semicolons or tabs:
 * CommBank, NAB, Westpac, ANZ and banks with the same names of columns. Amounts are signed, or in columns for debit and
 * credit. A line that cannot be read, has a day after `today` (the academy's) or more than three years before, or an
 * amount over AU$1,000,000, is a fault and stops only itself. One date with the month first stops the file: others of
 * its dates would be read as other days. Large files are read in slices, so that others get their turn in between.
 */
export async function readStatement(file: Uint8Array | string, today: Day): Promise<Statement> {
  const text = typeof file === 'string' ? file : decoded(file);
  const other = otherForms.find(([, pattern]) => pattern.test(text.slice(0, 2000)));
  if (other) return { ok: false, why: `This is ${other[0]}. Download the statement from your bank as CSV.` };
  const { rows, faults } = await rowsIn(text);
  const broken = faults[0] ? ` Line ${faults[0].line}: ${faults[0].why}` : '';
  if (rows.length === 0)
    return { ok: false, why: broken === '' ? 'The file is empty.' : `No line can be read.${broken}` };
  const columns = columnsOf(rows.map(({ cells }) => cells));
  const american = rows.find(({ cells }) =>
    typeof columns === 'string' ? cells.some(isMonthFirst) : isMonthFirst(cells[columns.date] ?? ''),
  );
  if (american) return { ok: false, why: `Line ${american.line} has a date with the month first. ${dayFirst}` };
  if (typeof columns === 'string') return { ok: false, why: columns + broken };
  if (columns.head === -1 && (faults[0]?.line ?? Infinity) < (rows[0]?.line ?? 0)) {
    return { ok: false, why: `The first line may hold the headings.${broken}` };
  }
  const lines: StatementLine[] = [];
  const data = rows.slice(columns.head + 1);
  const balanceOf = balancesOf(data, columns);
  const span = { first: addDays(today, -3 * 365), last: today };
  for (const [at, { line, cells }] of data.entries()) {
    if (at % rowsAtOnce === 0) await setImmediate();
    const read = readLine(cells, columns, span);
    if (typeof read === 'string') faults.push({ line, why: read });
    else if (read.amountCents !== 0) {
      lines.push({ line, ...read, marks: marksOf(cells, columns, balanceOf(cells)) });
    }
  }
  return { ok: true, lines, faults: faults.toSorted((a, b) => a.line - b.line) };
}

/** Other forms in which banks offer statements, by how their files begin. */
const otherForms: readonly (readonly [string, RegExp])[] = [
  ['a PDF', /^%PDF/],
  ['an Excel workbook', /^(PK\p{Cc}|ÐÏ\p{Cc}à)/u],
  ['a QIF file', /^\s*!(Type|Account|Option):?/i],
  ['an OFX file', /^\s*(OFXHEADER|<\?OFX)|<OFX>/i],
  ['a CAMT file', /<BkToCstmr|camt\.05[234]/],
];

const dayFirst = 'Download the file with dates such as 24/09/2025, the day first.';

function readLine(row: readonly string[], columns: Columns, { first, last }: { first: Day; last: Day }) {
  const date = row[columns.date] ?? '';
  const day = dayOf(date);
  if (row.some((cell) => cell.includes('\0'))) return 'It has bytes that are not text.';
  if (day === null) return `“${date.slice(0, 40)}” is not a date such as 24/09/2025.`;
  if (day > last) return `“${date.slice(0, 40)}” is in the future.`;
  if (day < first) return `“${date.slice(0, 40)}” is more than three years ago.`;
  const fault = columns.fault(row);
  if (fault !== null) return fault;
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
function balancesOf(data: readonly StatementRow[], { balance }: Columns) {
  const read = (row: readonly string[]) => (balance === null ? null : centsOf(row[balance] ?? ''));
  const [first, ...others] = data;
  const still =
    first !== undefined && others.length > 0 && others.every(({ cells }) => read(cells) === read(first.cells));
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
