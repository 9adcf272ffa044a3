import type { Cents } from '#app/lib/money.ts';
import { centsOf, dayOf, looksLikeMoney } from './statement-cells.ts';

/** The columns of a statement. */
export type Columns = {
  /** The row of the headings; -1 without. */
  head: number;
  date: number;
  /** Signed: above zero is money that came in; null when it cannot be read. */
  amount(row: readonly string[]): Cents | null;
  balance: number | null;
  /** The columns that staff read and that may hold references. */
  words: number[];
  /** Every column that is neither date, amount nor balance: together they tell lines apart. */
  others: number[];
};

type Rows = readonly (readonly string[])[];

/** The columns of a file with headings, or without them as found from all its rows; otherwise why there are none. */
export function columnsOf(rows: Rows): Columns | string {
  const first = rows.slice(0, 20).map((row) => (row.every((cell) => dayOf(cell) === null) ? row : []));
  const head = first.findIndex((row) => byName(row, 0));
  const named = byName(rows[head] ?? [], head);
  if (named) return named;
  return first.some((row) => row.some((cell) => /^(\w+ )?date$/i.test(cell))) ? none : byKind(rows);
}

const none = 'We found no columns for date and amount in this file.';
const twoColumns =
  'We cannot tell money in from money out in this file. Download it with headings, or with one column of signed amounts.';

function byName(names: readonly string[], head: number): Columns | null {
  const find = (pattern: RegExp) => names.findIndex((name) => pattern.test(name) && !/balance/i.test(name));
  const exact = find(/^(transaction )?date$/i);
  const date = exact === -1 ? find(/\bdate\b/i) : exact;
  const amount = find(/^((transaction )?amount|total)\b/i);
  const [debit, credit] = [find(/debit|withdrawal|money out/i), find(/credit|deposit|money in/i)];
  if (date === -1 || (amount === -1 && credit === -1)) return null;
  const words = names.flatMap((name, at) =>
    /narrative|description|detail|reference|particulars|payee|memo/i.test(name) ? [at] : [],
  );
  const balance = names.findIndex((name) => /^(running |account )?balance\b/i.test(name));
  const money = amount === -1 ? [debit, credit] : [amount];
  return {
    head,
    date,
    amount: amount === -1 ? twoSided(debit, credit) : (row) => centsOf(row[amount] ?? ''),
    balance: balance === -1 ? null : balance,
    words,
    others: othersOf(names.length, [date, balance, ...money]),
  };
}

const othersOf = (width: number, used: readonly number[]) =>
  [...Array(width).keys()].filter((at) => !used.includes(at));

/** Of columns for money that went out and that came in; `debit` is -1 when there is none. */
const twoSided = (debit: number, credit: number) => (row: readonly string[]) => {
  const [inward, outward] = [row[credit] ?? '', row[debit] ?? ''];
  if (inward !== '' && centsOf(inward) !== 0) return centsOf(inward);
  const paid = centsOf(outward);
  return paid === null ? null : -Math.abs(paid);
};

const mostLooked = 500;

/**
 * Of a file without headings, as CommBank and ANZ have it: date, amount, words, balance. The balance is the column that
 * runs along with the amounts. A column of words may be empty or hold digits in any row.
 */
function byKind(whole: Rows): Columns | string {
  const width = whole.reduce((most, row) => Math.max(most, row.length), 0);
  // Its beginning and its end tell as much: all of 25,000 rows would keep everybody else waiting.
  const rows = whole.length > 2 * mostLooked ? [...whole.slice(0, mostLooked), ...whole.slice(-mostLooked)] : whole;
  const all = [...Array(width).keys()];
  const cells = (at: number) => rows.map((row) => row[at] ?? '');
  const days = all.map((at) => cells(at).filter((cell) => dayOf(cell) !== null).length);
  const mostDays = Math.max(0, ...days);
  if (mostDays === 0) return none;
  const date = days.indexOf(mostDays);
  // A row without a day says nothing about the others; it becomes a fault of its own.
  const dated = rows.filter((row) => dayOf(row[date] ?? '') !== null);
  const share = (at: number, test: (cell: string) => boolean) =>
    dated.filter((row) => test(row[at] ?? '')).length / dated.length;
  const mostly = (at: number, test: (cell: string) => boolean) => share(at, test) > 0.5;
  const numeric = all.filter((at) => at !== date && mostly(at, (cell) => centsOf(cell) !== null));
  // One of two columns for money in and money out is empty wherever the other is not.
  const twoSides = (at: number) =>
    all.some(
      (other) =>
        other !== at &&
        dated.some((row) => looksLikeMoney(row[other] ?? '')) &&
        dated.every((row) => (row[at] ?? '') === '' || (row[other] ?? '') === ''),
    );
  if (all.some((at) => dated.some((row) => looksLikeMoney(row[at] ?? '')) && twoSides(at))) return twoColumns;
  const running = runningPair(dated, numeric);
  const money = numeric.filter((at) => mostly(at, looksLikeMoney));
  const amount = running?.amount ?? money[0] ?? numeric[0];
  if (amount === undefined) return none;
  const balance = running?.balance ?? money.findLast((at) => at > amount) ?? null;
  const others = othersOf(width, [date, amount, ...(balance === null ? [] : [balance])]);
  return { head: -1, date, balance, others, words: others, amount: (row) => centsOf(row[amount] ?? '') };
}

/** Two columns: one is the sum of the other so far, from above or from below. */
function runningPair(rows: Rows, numeric: readonly number[]): { amount: number; balance: number } | null {
  let best = { amount: -1, balance: -1, count: 0 };
  for (const amount of numeric) {
    for (const balance of numeric) {
      if (amount === balance) continue;
      const values = rows.map((row) => [centsOf(row[amount] ?? ''), centsOf(row[balance] ?? '')] as const);
      const steps = values.slice(1).map(([cents, after], at) => {
        const [centsBefore, before] = values[at] ?? [null, null];
        if (cents === null || after === null || centsBefore === null || before === null) return [false, false];
        return [before + cents === after, after + centsBefore === before];
      });
      const count = Math.max(steps.filter(([down]) => down).length, steps.filter(([, up]) => up).length);
      if (count > best.count) best = { amount, balance, count };
    }
  }
  return best.count === 0 ? null : best;
}
