type Row = readonly string[];

export const cutAmount = 'Its amount may be cut at a comma. An amount such as 2,599.00 must be in quotes.';

/** Whether the comma of an amount without quotes, such as `2,599.00`, made two cells of it in a row of over `width`. */
export const isCutAmount = (row: Row, amount: number, width: number) =>
  row.length > width &&
  /^[-+(]?\$?\d{1,3}$/.test(row[amount] ?? '') &&
  /^\d{3}(\.\d+)?\)?$/.test(row[amount + 1] ?? '');

/** The same in a row that has no more cells than others: the words beside the amount are the rest of it. */
const isCutIntoWords = (row: Row, amount: number, names: Row) =>
  /^[-+(]?\$?\d{1,3}$/.test(row[amount] ?? '') &&
  /^\d{3}\.\d\d\)?$/.test(row[amount + 1] ?? '') &&
  isWords(names[amount + 1] ?? '');

/** Whether a heading is of words that staff read and that may hold references. */
export const isWords = (name: string) =>
  /narrat|description|detail|reference|particulars|pay(ee|er)|memo|remark|message|^(text|transaction)$/i.test(name);

/** Finds why a row under `names` cannot be taken at its word; `money` are the columns of its amounts. */
export function faultsOf(names: Row, money: readonly number[]): (row: Row) => string | null {
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
export const isOurs = (name: string) => /\bAUD\b|(?<![a-z])AU?\$/i.test(name);

/** The currency that a heading such as `Amount (USD)` names; null for Australian dollars, or none. */
export function currencyIn(name: string): string | null {
  // At an end or in brackets: within a heading "ALL" is a word.
  const codes = name.toUpperCase().match(/^[A-Z]{3}(?= )|(?<= )[A-Z]{3}$|(?<=\()[A-Z]{3}(?=\))/g) ?? [];
  const foreign = codes.find((code) => code !== 'AUD' && currencies.has(code));
  return foreign ?? name.match(/[€£¥]|(?<![a-z])(?!a)[a-z]{1,2}\$/i)?.[0] ?? null;
}
