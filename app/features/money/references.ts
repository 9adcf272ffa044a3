import { referenceAlphabet } from '#app/lib/reference-alphabet.ts';

/** The references that the words of a payment name. */
export type Named = {
  /** References of enrolments that certainly were meant, such as `BB-7KQ2MX`. */
  enrolments: string[];
  /** Numbers of invoices that certainly were meant. */
  invoices: number[];
  /**
   * References that may have been meant, one list for each position in the words: run together with other letters, or
   * with letters that are mistaken for others. A list counts only when it leads to exactly one enrolment.
   */
  unclear: { enrolments: string[]; invoices: number[] }[];
};

const letter = '[0-9A-Z]';
const between = String.raw`\s\-_.:/`;
// A lookahead, so that matches may overlap.
const reference = new RegExp(`BB(?=([${between}]{0,3})(${letter}{6}))`, 'g');
/** Parted by a bank that breaks words, as `BB-LSB M7U`, or without its BB. */
const broken = new RegExp(
  `(?<!${letter})(?:BB[${between}]*(${letter}{2,4}[${between}]${letter}{2,4})|(${letter}{6}))(?!${letter})`,
  'g',
);
const invoice =
  /(?:BILL[\s\-.:]*|(?:INV(?:OICES?|S)?[\s\-.:]*)+)(?:(?:NUMBER|NUM|NO|NR)[\s.:]*)?(?:#\s*)?([0-9OIL]{1,9})/g;

/**
 * Finds references in the words of a payment, in any case, with or without separators, also run together: enrolments as
 * `BB-7KQ2MX`, invoices by number as `INV00042`, `Inv#42`, `invoice no 42`. Each once, in the order of the words.
 */
export function referencesIn(words: string): Named {
  const text = words
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[‐‑‒–—−]/g, '-');
  const named: Named = { enrolments: [], invoices: [], unclear: [] };
  const endsOfInvoices = new Set<number>();
  for (const found of text.matchAll(invoice)) {
    const digits = found[1] ?? '';
    const end = found.index + found[0].length;
    if (!/\d/.test(digits) || !/^($|[^0-9A-Z]|BB)/.test(text.slice(end, end + 2))) continue;
    endsOfInvoices.add(end);
    const number = Number(digits.replaceAll('O', '0').replaceAll(/[IL]/g, '1'));
    const clear = !/[OIL]/.test(digits) && !/[A-Z]$/.test(text.slice(0, found.index));
    if (clear) named.invoices.push(number);
    else named.unclear.push({ enrolments: [], invoices: [number] });
  }
  for (const found of text.matchAll(reference)) {
    const [start, between = '', letters = ''] = found;
    const before = text.slice(0, found.index);
    const after = text.slice(found.index + start.length + between.length + letters.length);
    const afterInvoice = endsOfInvoices.has(before.replace(/(?<![\s\-,/+&])[\s\-,/+&]+$/, '').length);
    const alone = (afterInvoice || !/[0-9A-Z]$/.test(before)) && !/^(?!INV)[0-9A-Z]/.test(after);
    const candidates = readingsOf(letters).map((one) => `BB-${one}`);
    const exact = candidates.length === 1 && candidates[0] === `BB-${letters}`;
    // A word such as BBQSHACK is no reference by its letters alone.
    const meant = alone && exact && (afterInvoice || /[^\s]/.test(between) || /\d/.test(letters));
    if (meant) named.enrolments.push(...candidates);
    else if (candidates.length > 0) named.unclear.push({ enrolments: candidates, invoices: [] });
  }
  for (const [, parted = '', bare = ''] of text.matchAll(broken)) {
    const letters = (parted || bare).replaceAll(/[^0-9A-Z]/g, '');
    if (/^[2-9A-HJ-NP-Z]{6}$/.test(letters)) named.unclear.push({ enrolments: [`BB-${letters}`], invoices: [] });
  }
  return {
    enrolments: [...new Set(named.enrolments)],
    invoices: [...new Set(named.invoices)],
    unclear: named.unclear,
  };
}

/** References that certainly were meant, and those that may have been. */
export function allReferencesIn(words: string): string[] {
  const { enrolments, unclear } = referencesIn(words);
  return [...enrolments, ...unclear.flatMap((one) => one.enrolments)];
}

/** No reference holds O, 0, I or 1: payers write these for letters that look the same. */
const mistaken: Record<string, string[]> = { O: ['Q', 'D'], '0': ['Q', 'D'], I: ['L', 'J'], '1': ['L', 'J'] };

function readingsOf(letters: string): string[] {
  if ((letters.match(/[O0I1]/g) ?? []).length > 2) return [];
  return [...letters].reduce<string[]>(
    (readings, one) => readings.flatMap((reading) => (mistaken[one] ?? [one]).map((other) => reading + other)),
    [''],
  );
}

/** An enrolment that has one of the references or numbers looked up. */
export type Nameable = { id: number; reference: string; title: string; buyer: string; number: number | null };
export type Match =
  | { kind: 'one'; enrolment: Nameable }
  /** A named enrolment owes nothing: the payer may have meant another. */
  | { kind: 'settled'; enrolment: Nameable }
  | { kind: 'none' }
  /** Several enrolments are named, each in its own right. */
  | { kind: 'several'; enrolments: Nameable[] }
  /** A reference names one enrolment, and another reference a different one or none. */
  | { kind: 'contradicting'; references: string[] };

/** Says which existing enrolment a text means. */
export function matcherOf(existing: readonly Nameable[]): (named: Named) => Match {
  const references = Map.groupBy(existing, ({ reference }) => reference);
  const numbers = Map.groupBy(existing, ({ number }) => number);
  const byReference = (reference: string) => references.get(reference) ?? [];
  const byNumber = (number: number) => numbers.get(number) ?? [];
  return ({ enrolments, invoices, unclear }) => {
    const perhaps = unclear.map((one) =>
      once([...one.enrolments.flatMap(byReference), ...one.invoices.flatMap(byNumber)]),
    );
    const certain = perhaps.flatMap((found) => (found.length === 1 ? found : []));
    const named = once([...enrolments.flatMap(byReference), ...certain]);
    const numbered = once(invoices.flatMap(byNumber));
    const all = once([...named, ...numbered]);
    const missing = enrolments.filter((one) => byReference(one).length === 0);
    const [only, ...more] = all;
    if (!only) return { kind: 'none' };
    const apart = numbered.some(({ id }) => named.length > 0 && named.every((one) => one.id !== id));
    if (missing.length > 0 || apart) {
      return { kind: 'contradicting', references: [...all.map((one) => one.reference), ...missing] };
    }
    return more.length === 0 ? { kind: 'one', enrolment: only } : { kind: 'several', enrolments: all };
  };
}

const once = (found: readonly Nameable[]) => [...new Map(found.map((one) => [one.id, one])).values()];

const nearReference = /BB[\s-]{0,3}([0-9A-Z]{5,7})(?![0-9A-Z])/g;
const nearInvoice = /INV(?:OICES?|S)?[\s\-.:]*(?:(?:NUMBER|NUM|NO|NR)[\s.:]*)?(?:#\s*)?([0-9]{1,9})/g;

/**
 * The references of enrolments that differ from words in one character: a letter wrong, left out, too many, or swapped
 * with its neighbour. Exact ones count too.
 */
export function nearReferences(words: string): string[] {
  const found = [...words.toUpperCase().matchAll(nearReference)].map(([, letters = '']) => letters);
  return [...new Set(found.flatMap((letters) => near(letters, referenceAlphabet)))]
    .filter((letters) => letters.length === 6)
    .map((letters) => `BB-${letters}`);
}

/**
 * The invoice numbers that words may mean with one typing mistake. A number alone says little, because so many exist.
 */
export function nearNumbers(words: string): number[] {
  const found = [...words.toUpperCase().matchAll(nearInvoice)].map(([, digits = '']) => String(Number(digits)));
  const numbers = found.flatMap((digits) => near(digits, '0123456789').map(Number));
  return [...new Set(numbers)].filter((number) => number > 0 && number < 1_000_000_000);
}

/** A text and all texts that differ from it in one character. */
function near(text: string, letters: string): string[] {
  const made = [text];
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    for (const one of letters) made.push(before + one + after, before + one + after.slice(1));
    made.push(before + after.slice(1), before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  return made;
}
