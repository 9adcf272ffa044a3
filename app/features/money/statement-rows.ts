import { setImmediate } from 'node:timers/promises';
import { delimiterOf } from './statement-cells.ts';

/** A row of a file, and the number of its first line, from 1, as an editor counts them. */
export type StatementRow = { line: number; cells: string[] };
/** A line that cannot be read, and why. */
export type LineFault = { line: number; why: string };

const unpaired = 'Its quotes do not pair, so nobody can tell its cells apart.';
/** Some milliseconds of work. */
export const rowsAtOnce = 500;
/** More than any bank needs for one description. */
const mostLinesOfRow = 20;

/**
 * The rows of a CSV. A quoted cell may hold line breaks, but never a line that has a date of its own: a quote that
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

/** The row that the first of the lines begins; null when its quotes do not pair. */
function rowFrom(lines: readonly string[], delimiter: string): { cells: string[]; height: number } | null {
  let text = '';
  let dates = 0;
  for (const [at, line] of lines.entries()) {
    text += at === 0 ? line : `\n${line}`;
    if (line.split(delimiter).some(looksLikeDate)) dates += 1;
    if (dates > 1) return null;
    const cells = cellsOf(text, delimiter);
    if (cells === 'wrong') return null;
    if (cells === 'open') continue;
    // A date within a cell of words would be that of a line that the quote took in.
    return at === 0 || cells.some(looksLikeDate) === (dates === 1) ? { cells, height: at + 1 } : null;
  }
  return null;
}

/** Whether it begins as a date does, in any order of day, month and year. */
const looksLikeDate = (cell: string) => /^[\s"]*\d{1,4}[/. -](\d{1,2}|[a-z]{3,9})[/. -]\d{2,4}\b/i.test(cell);

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
