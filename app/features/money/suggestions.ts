import { foldedWords } from '#app/features/catalogue/folding.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { invoiceNumber } from './invoice-rules.ts';
import { allReferencesIn, nearNumbers, nearReferences, referencesIn } from './references.ts';

/** Money that came in and has no enrolment. */
export type Arrival = { amountCents: Cents; words: string };

/** An enrolment on which something is owed. */
export type Owing = {
  id: number;
  reference: string;
  buyer: string;
  organisation: string | null;
  /** The buyer's mailbox, by which enrolments belong together. */
  mailbox: string;
  balanceCents: Cents;
  /** Its open invoices, the first one due first; `nextCents` are its first instalment, its first two together, and so on. */
  invoices: readonly { number: number; openCents: Cents; nextCents: readonly Cents[] }[];
};

/** `owedCents` is the amount owed on the enrolment before the payment. */
type Share = { enrolmentId: number; reference: string; cents: Cents; owedCents: Cents; invoices: string[] };
export type Suggestion = {
  /** Adds up to the whole payment. */
  shares: Share[];
  /** Why, a few words each. */
  reasons: string[];
  /** No other fits as well, and the amount and the reference or the name say the same. */
  sure: boolean;
};

const most = 3;
/** The number of enrolments of one buyer whose sums are tried. */
const mostTogether = 8;
/** The number of enrolments suggested for one payment: its words may name those of several buyers. */
const mostShares = 20;

/**
 * Suggests for which enrolments a payment may be (P83), the likeliest first. Only staff accept one. An amount
 * alone says little, because many courses cost the same: it counts only where at most two enrolments owe it.
 */
export function suggestionsFor(arrival: Arrival, owing: readonly Owing[]): Suggestion[] {
  const named = namesIn(arrival.words);
  const known = owing.map((one) => ({ one, amount: amountOf(arrival, one), who: whoOf(arrival, named, one) }));
  const strong: Suggestion[] = [];
  const weak: Suggestion[] = [];
  for (const { one, amount, who } of known) {
    if (who && amount) strong.push(of([one], arrival, [who.reason, amount]));
    else if (who && (who.byReference || arrival.amountCents < one.balanceCents)) {
      weak.push(of([one], arrival, [who.reason, `${formatExact(one.balanceCents)} is owed`]));
    }
  }
  for (const some of sumsOf(arrival, known)) {
    const reason = some.reasons.length > 0 ? some.reasons : ['They are of one buyer'];
    strong.push(of(some.parts, arrival, [...reason, `Together they owe ${formatExact(arrival.amountCents)}`]));
  }
  const alone = known.filter(({ who, amount }) => !who && amount);
  if (alone.length <= 2) {
    for (const { one, amount } of alone) weak.push(of([one], arrival, [`${amount}; nothing else says so`]));
  }
  const all = (strong.length > 0 ? strong : weak).slice(0, most);
  const [first] = all;
  if (first && strong.length === 1 && holdsAllNamed(first, named.certain)) first.sure = true;
  return all;
}

/** The candidates before their invoices are read, and the other debts of their buyers. */
export function possibleDebts(arrival: Arrival, owing: readonly Owing[]): Owing[] {
  const names = namesIn(arrival.words);
  const meant = owing.filter(
    (one) => one.balanceCents === arrival.amountCents || names.nearNumbers.size > 0 || whoOf(arrival, names, one),
  );
  const buyers = new Set(meant.map(({ mailbox }) => mailbox));
  return owing.filter(({ mailbox }) => buyers.has(mailbox));
}

/**
 * The value by which a form names a suggestion: `BB-7KQ2MX 229900, BB-9R4TWX 120000`. Where another sum is owed it
 * includes that, so that a changed debt makes another suggestion: `BB-7KQ2MX 50000 of 229900`.
 */
export const keyOf = ({ shares }: Pick<Suggestion, 'shares'>): string =>
  shares
    .map(({ reference, cents, owedCents }) => `${reference} ${cents}${cents === owedCents ? '' : ` of ${owedCents}`}`)
    .join(', ');

const share = String.raw`BB-[0-9A-Z]{6} \d{1,9}(?: of \d{1,9})?`;
/** A text as `keyOf` makes it. */
export const keyPattern = new RegExp(`^${share}(?:, ${share}){0,${mostShares - 1}}$`);

function of(parts: readonly Owing[], { amountCents }: Arrival, reasons: string[]): Suggestion {
  const [only] = parts;
  const shares = parts.map((one) => ({
    enrolmentId: one.id,
    reference: one.reference,
    cents: parts.length === 1 && only ? amountCents : one.balanceCents,
    owedCents: one.balanceCents,
    invoices: one.invoices.map(({ number }) => invoiceNumber(number)),
  }));
  return { shares, reasons, sure: false };
}

type Names = {
  certain: Set<string>;
  references: Set<string>;
  numbers: Set<number>;
  near: Set<string>;
  nearNumbers: Set<number>;
  words: Set<string>;
};

function namesIn(words: string): Names {
  const { enrolments, invoices } = referencesIn(words);
  return {
    certain: new Set(enrolments),
    references: new Set(allReferencesIn(words)),
    numbers: new Set(invoices),
    near: new Set(nearReferences(words)),
    nearNumbers: new Set(nearNumbers(words)),
    words: new Set(foldedWords(words)),
  };
}

/** How an amount fits what is owed; null when it does not. */
function amountOf({ amountCents }: Arrival, { balanceCents, invoices }: Owing): string | null {
  const amount = formatExact(amountCents);
  if (amountCents === balanceCents) return `${amount} is what is owed`;
  const open = invoices.find(({ openCents }) => openCents === amountCents);
  if (open) return `${amount} is what is owed of ${invoiceNumber(open.number)}`;
  const next = invoices.find(({ nextCents }) => nextCents.includes(amountCents));
  return next ? `${amount} is what is due next of ${invoiceNumber(next.number)}` : null;
}

/** How the words identify the payer; `byReference` when they name this enrolment and no other of the same buyer. */
function whoOf(arrival: Arrival, names: Names, one: Owing): { reason: string; byReference: boolean } | null {
  if (names.references.has(one.reference)) return { reason: `Names ${one.reference}`, byReference: true };
  const number = one.invoices.find((invoice) => names.numbers.has(invoice.number));
  if (number) return { reason: `Names ${invoiceNumber(number.number)}`, byReference: true };
  if (names.near.has(one.reference)) {
    return { reason: `The reference is ${one.reference} but for one slip`, byReference: true };
  }
  const holder = [one.organisation, one.buyer].find((name) => isNamed(name, names.words));
  if (holder) return { reason: `The name is the same: ${holder}`, byReference: false };
  const near = amountOf(arrival, one) && one.invoices.find((invoice) => names.nearNumbers.has(invoice.number));
  return near ? { reason: `The number is ${invoiceNumber(near.number)} but for one slip`, byReference: true } : null;
}

/** Words of names of companies that banks leave out. */
const left = new Set(['pty', 'ltd', 'limited', 'the', 'inc', 'co', 'and']);

/** Whether words hold the whole of a name. A single word such as a first name is none. */
function isNamed(name: string | null, words: ReadonlySet<string>): boolean {
  const parts = foldedWords(name ?? '').filter((part) => !left.has(part));
  const long = parts.length > 1 || (parts[0]?.length ?? 0) >= 5;
  return long && parts.every((part) => words.has(part));
}

type Known = { one: Owing; who: { reason: string } | null };

/** Several enrolments of one buyer, or all that the words name, that owe exactly the amount together. */
function sumsOf({ amountCents }: Arrival, known: readonly Known[]): { parts: Owing[]; reasons: string[] }[] {
  const found = new Map<string, { parts: Owing[]; reasons: string[] }>();
  const add = (parts: readonly Known[]) => {
    const sorted = parts.toSorted((a, b) => a.one.id - b.one.id);
    const reasons = [...new Set(sorted.flatMap(({ who }) => who?.reason ?? []))];
    found.set(sorted.map(({ one }) => one.id).join(), { parts: sorted.map(({ one }) => one), reasons });
  };
  const sum = (parts: readonly Known[]) => parts.reduce((cents, { one }) => cents + one.balanceCents, 0);
  const meant = known.filter(({ who }) => who !== null);
  if (meant.length > 1 && meant.length <= mostShares && sum(meant) === amountCents) add(meant);
  for (const [, its] of Map.groupBy(known, ({ one }) => one.mailbox)) {
    if (its.length < 2 || its.length > mostTogether || its.every(({ who }) => who === null)) continue;
    for (let set = 3; set < 2 ** its.length; set++) {
      const parts = its.filter((_, at) => set & (1 << at));
      if (parts.length > 1 && sum(parts) === amountCents) add(parts);
    }
  }
  return [...found.values()];
}

/** Whether each reference in the words is that of a share, but for a slip. */
const holdsAllNamed = ({ shares }: Suggestion, certain: ReadonlySet<string>): boolean =>
  [...certain].every((named) => shares.some(({ reference }) => nearReferences(named).includes(reference)));
