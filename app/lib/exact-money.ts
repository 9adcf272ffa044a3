import { type Cents, formatCount } from './money.ts';

/** `10,998.00`, `−5,499.00`: an amount with its cents and its sign, for columns whose head says AU$. */
export function formatCents(cents: Cents): string {
  return `${cents < 0 ? '−' : ''}${formatCount((Math.abs(cents) / 100).toFixed(2))}`;
}

/** `AU$10,998.00`, `−AU$5,499.00`: the same in a sentence. Pages for staff write every sum so, because it must equal a ledger. */
export function formatExact(cents: Cents): string {
  return `${cents < 0 ? '−' : ''}AU$${formatCents(Math.abs(cents))}`;
}

/** A typed amount such as `$3,499`, `3499` or `3499.50`; null for anything else: 12,50 is not AU$1,250. */
export function centsTyped(text: string): Cents | null {
  const plain = text.replaceAll(/[\s$]|AU/g, '');
  if (!/^(\d{1,7}|\d{1,3}(,\d{3}){1,2})(\.\d{1,2})?$/.test(plain)) return null;
  return Math.round(Number(plain.replaceAll(',', '')) * 100);
}
