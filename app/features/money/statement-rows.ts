import { setImmediate } from 'node:timers/promises';
import { dayOf, delimiterOf, isMonthFirst, looksLikeMoney } from './statement-cells.ts';

/** A row of a file, and the number of its first line, from 1, as an editor counts them. */
export type StatementRow = { line: number; cells: string[] };
/** A line that cannot be read, and why. */
export type LineFault = { line: number; why: string };

const unpaired = 'A quote in it does not end, or takes in the payments below, so nobody can tell its cells apart.';
/** Some milliseconds of work. */
export const rowsAtOnce = 500;
/** More than any bank needs for one description. */
const mostLinesOfRow = 20;

/**
 * The rows of a CSV. A quoted cell may hold line breaks, but never a line that has a date and an amount: a quote that
 * somebody forgot would take in the payments below it. A line whose quotes do not pair stops only itself.
 */
export async function rowsIn(text: string): Promise<{ rows: StatementRow[]; faults: LineFault[] }> {
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
