import { wordsIn } from '#app/lib/beginnings.ts';
import { centsTyped } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';

/** How many letters of a search are used. */
export const longestSearch = 100;

/** A search, read as everything that it can mean. */
export type Search = {
  typed: string;
  /** Folded; empty for the beginning of a number, which every record of its kind has. */
  words: readonly string[];
  /** A telephone number in any spelling, or its beginning, from six digits on. */
  phone: string | null;
  /** A reference such as `BB-7KQ2MX`, or its beginning. */
  reference: string | null;
  /** The digits of a number such as `INV-00042`, and whether it can be only an invoice's or only a note's. */
  number: { digits: string; only: 'invoice' | 'note' | null } | null;
  /** An amount of money. */
  cents: Cents | null;
};

const mostWords = 8;

export function searchOf(text: string): Search {
  const typed = text.slice(0, longestSearch).trim();
  const [, prefix = '', behind = ''] = /^(bb)(?:[-\s]+(.*))?$/i.exec(typed) ?? [];
  const bare = prefix === '' ? typed : behind;
  const spelled = typed
    .replace(/^(?:tax\s+)?invoice(?=[-\s]*\d)/i, 'inv')
    .replace(/^adjustment note(?=[-\s]*\d)/i, 'adj');
  const [, kind = '', digits = ''] = /^(inv|adj)?[-\s]*(\d*)$/i.exec(spelled) ?? [];
  const isNumber = kind !== '' || digits !== '';
  const only = { inv: 'invoice', adj: 'note' } as const;
  // As it is printed for bank transfers: `INV00147 BB7KQ2MX`.
  const printed = /(?:^|\s)bb[-\s]*([2-9A-HJ-NP-Z]{6})$/i.exec(typed)?.[1];
  const isReference = prefix === '' ? /^[2-9A-HJ-NP-Z]{6}$/i.test(typed) : /^[2-9A-HJ-NP-Z]{1,6}$/i.test(bare);
  return {
    typed,
    words: kind !== '' ? [] : wordsIn(bare).slice(0, mostWords),
    phone: /^[+\d\s()./-]+$/.test(typed) && typed.replaceAll(/\D/g, '').length >= 6 ? typed : null,
    reference: printed ? `BB-${printed.toUpperCase()}` : isReference ? `BB-${bare.toUpperCase()}` : null,
    number:
      isNumber && digits !== '' && digits.length <= 9
        ? { digits, only: only[kind.toLowerCase() as keyof typeof only] ?? null }
        : null,
    cents: centsTyped(typed) || null,
  };
}
