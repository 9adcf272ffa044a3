import { amountText, type Cents } from './money.ts';

/** `10,998.00`, `−5,499.00`: an amount with its cents and its sign, for columns whose head says AU$. */
export function formatCents(cents: Cents): string {
  return `${cents < 0 ? '−' : ''}${amountText(Math.abs(cents))}`;
}

/** `AU$10,998.00`: the same in a sentence of pages for staff. */
export function formatExact(cents: Cents): string {
  return `${cents < 0 ? '−' : ''}AU$${amountText(Math.abs(cents))}`;
}
