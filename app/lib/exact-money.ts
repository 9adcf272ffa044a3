import { type Cents, formatCount } from './money.ts';

/** `10,998.00`, `−5,499.00`: an amount with its cents and its sign, for columns whose head says AU$. */
export function formatCents(cents: Cents): string {
  return `${cents < 0 ? '−' : ''}${formatCount((Math.abs(cents) / 100).toFixed(2))}`;
}

/** `AU$10,998.00`, `−AU$5,499.00`: the same in a sentence. Pages for staff write every sum so, because it must equal a ledger. */
export function formatExact(cents: Cents): string {
  return `${cents < 0 ? '−' : ''}AU$${formatCents(Math.abs(cents))}`;
}
