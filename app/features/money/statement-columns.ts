import type { Cents } from '#app/lib/money.ts';
import { centsOf, dayOf, looksLikeMoney } from './statement-cells.ts';

/** The columns of a statement. */
export type Columns = {
  /** The row of the headings; -1 without. */
  head: number;
  date: number;
  /** Signed: above zero is money that came in; null when it cannot be read. */
  amount(row: readonly string[]): Cents | null;
  /** Why a row cannot be taken at its word; null for most. */
  fault(row: readonly string[]): string | null;
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
  const head = first.findIndex((row) => byName(row, 0, []));
  const named = byName(rows[head] ?? [], head, rows.slice(head + 1));
  if (named) return named;
  return first.some((row) => row.some((cell) => /^(\w+[ _])?date$/i.test(cell))) ? none : byKind(rows);
}

const none = 'We found no columns for date and amount in this file.';
const nobodySays = 'No column of this file says who paid. Download it with a column such as Description or Narration.';
const twoColumns =
  'We cannot tell money in from money out in this file. Download it with headings, or with one column of signed amounts.';

/** The headings of one column of amounts, the surest first. */
const amounts = [/^amount$/i, /^((transaction )?amount|total)$/i, /^((transaction )?amount|total)\b/i];
const outward = /debit|withdrawal|money out/i;
const inward = /credit|deposit|money in/i;

function byName(headings: readonly string[], head: number, data: Rows): Columns | string | null {
  const names = headings.map((name) => name.replaceAll('_', ' '));
  const find = (test: (name: string) => boolean) => names.findIndex((name) => test(name) && !/balance/i.test(name));
  const exact = find((name) => /^(transaction )?date$/i.test(name));
  const date = exact === -1 ? find((name) => /\bdate\b/i.test(name)) : exact;
  // “Debit amount” is one side of two; “Amount (debit/credit)” is both.
  const whole = (name: string) => outward.test(name) === inward.test(name) && !/\bfees?$/i.test(plain(name));
  const ours = amounts.map((pattern) => find((name) => isOurs(name) && pattern.test(plain(name)) && whole(name)));
  const any = amounts.map((pattern) => find((name) => pattern.test(plain(name)) && whole(name)));
  const amount = [...ours, ...any].find((at) => at !== -1);
  const [debit, credit] = [find((name) => outward.test(name)), find((name) => inward.test(name))];
  if (date === -1 || (amount === undefined && credit === -1)) return null;
  const named = names.flatMap((name, at) => (isWords(name) ? [at] : []));
  const balance = names.findIndex((name) => /^(running |account |closing )?bal(ance)?\b/i.test(name));
  const money = amount === undefined ? [debit, credit].filter((at) => at !== -1) : [amount];
  const foreign = money.map((at) => currencyIn(names[at] ?? '')).find((currency) => currency !== null);
  if (foreign) return `Its amounts are in ${foreign}. We record only Australian dollars.`;
  const others = othersOf(names.length, [date, balance, ...money]);
  if (others.length === 0) return nobodySays;
  return {
    head,
    date,
    amount: amount === undefined ? twoSided(debit, credit) : oneSided(names, amount, data),
    fault: faultsOf(names, money),
    balance: balance === -1 ? null : balance,
    words: named.length > 0 ? named : others,
    others,
  };
}

/** A heading without the academy's own currency behind it. */
const plain = (name: string) => name.replace(/\(?(AUD|AU?\$|\$)\)?$/i, '').trimEnd();

/**
 * One column of amounts. The sign may be in another column, such as `Type` or `Debit/Credit`, where the amount has
 * none.
 */
function oneSided(names: readonly string[], amount: number, data: Rows) {
  const isSigned = data.some((row) => (centsOf(row[amount] ?? '') ?? 0) < 0);
  const sides = isSigned ? [] : sidesOf(names, amount, data);
  return (row: readonly string[]) => {
    const cents = centsOf(row[amount] ?? '');
    return cents !== null && sides.some(({ at, out }) => out.test(row[at] ?? '')) ? -cents : cents;
  };
}

const outCell = /^(dr?|debit|withdrawal)$/i;
const inCell = /^(cr?|credit|deposit)$/i;

/** The columns that say which side an amount is on, with what means money out there. */
function sidesOf(names: readonly string[], amount: number, data: Rows) {
  return names.flatMap((name, at) => {
    if (at === amount) return [];
    if (/debit|credit|\b[dc]r\b/i.test(name)) return [{ at, out: outCell }];
    if (!/^((transaction|entry|payment) )?type\b/i.test(name)) return [];
    const cells = data.map((row) => row[at] ?? '');
    // Deposits and withdrawals by their letters.
    if (cells.some((cell) => /^w$/i.test(cell))) return [{ at, out: /^w$/i }];
    // A type that knows one side only may be of something else, such as a card.
    return cells.some((cell) => inCell.test(cell)) ? [{ at, out: outCell }] : [];
  });
}

const othersOf = (width: number, used: readonly number[]) =>
  [...Array(width).keys()].filter((at) => !used.includes(at));

/** Two columns, for money that went out and money that came in; `debit` is -1 when there is none. */
const twoSided = (debit: number, credit: number) => (row: readonly string[]) => {
  const [inward, outward] = [row[credit] ?? '', row[debit] ?? ''];
  if (inward !== '' && centsOf(inward) !== 0) return centsOf(inward);
  const paid = centsOf(outward);
  return paid === null ? null : -Math.abs(paid);
};

const mostLooked = 500;

/**
 * A file without headings, as CommBank and ANZ have it: date, amount, words, balance. The balance is the column that
 * runs along with the amounts. A column of words may be empty or hold digits in any row.
 */
function byKind(whole: Rows): Columns | string {
  const width = whole.reduce((most, row) => Math.max(most, row.length), 0);
  // The first and the last rows tell as much: all of 25,000 rows would keep everybody else waiting.
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
  const shortest = Math.min(...dated.map((row) => row.length));
  return {
    head: -1,
    date,
    balance,
    others,
    words: others,
    amount: (row) => centsOf(row[amount] ?? ''),
    fault: (row) => (isCutAmount(row, amount, shortest) ? cutAmount : null),
  };
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

type Row = readonly string[];

const cutAmount = 'Its amount may be cut at a comma. An amount such as 2,599.00 must be in quotes.';

/**
 * Whether the comma of an amount without quotes, such as `2,599.00`, split it into two cells of a row with more than
 * `width` cells.
 */
const isCutAmount = (row: Row, amount: number, width: number) =>
  row.length > width &&
  /^[-+(]?\$?\d{1,3}$/.test(row[amount] ?? '') &&
  /^\d{3}(\.\d+)?\)?$/.test(row[amount + 1] ?? '');

/** The same in a row with as many cells as others: the words beside the amount are the rest of it. */
const isCutIntoWords = (row: Row, amount: number, names: Row) =>
  /^[-+(]?\$?\d{1,3}$/.test(row[amount] ?? '') &&
  /^\d{3}\.\d\d\)?$/.test(row[amount + 1] ?? '') &&
  isWords(names[amount + 1] ?? '');

/** Whether a heading is of words that staff read and that may hold references. */
const isWords = (name: string) =>
  /narrat|description|detail|reference|particulars|pay(ee|er)|memo|remark|message|^(text|transaction)$/i.test(name);

/** Finds why a row under `names` cannot be taken at its word; `money` are the columns of its amounts. */
function faultsOf(names: Row, money: readonly number[]): (row: Row) => string | null {
  const at = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const currency = at(/^(account |transaction )?(currency|ccy)( code)?$/i);
  const status = at(/^(transaction )?status$/i);
  // The currency of what was bought, where the amount's heading names ours.
  const told = !money.every((column) => isOurs(names[column] ?? ''));
  return (row) => {
    const [its = '', state = ''] = [row[currency], row[status]];
    if (row.slice(names.length).some((cell) => cell !== '')) return 'It has more cells than there are headings.';
    if (money.some((at) => isCutAmount(row, at, names.length) || isCutIntoWords(row, at, names))) return cutAmount;
    if (told && its !== '' && !/^(AU?\$|\$)$|\bAUD\b|\baustralian dollars?\b/i.test(its)) {
      return `Its currency is “${its.slice(0, 40)}”. We record only Australian dollars.`;
    }
    if (/pending|processing|uncleared|unsettled|on hold|authori[sz]ed/i.test(state)) return notSettled;
    if (/^(failed|failure|declined|rejected|cancell?ed|reversed|void|voided)\b/i.test(state))
      return `Its status is “${state.slice(0, 40)}”.`;
    return null;
  };
}

const notSettled = 'It is not settled yet. Upload the file again when it is.';

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Whether a heading names Australian dollars. */
const isOurs = (name: string) => /\bAUD\b|(?<![a-z])AU?\$/i.test(name);

/** The currency that a heading such as `Amount (USD)` names; null for Australian dollars, or none. */
function currencyIn(name: string): string | null {
  // At an end or in brackets: within a heading "ALL" is a word.
  const codes = name.toUpperCase().match(/^[A-Z]{3}(?= )|(?<= )[A-Z]{3}$|(?<=\()[A-Z]{3}(?=\))/g) ?? [];
  const foreign = codes.find((code) => code !== 'AUD' && currencies.has(code));
  return foreign ?? name.match(/[€£¥]|(?<![a-z])(?!a)[a-z]{1,2}\$/i)?.[0] ?? null;
}
