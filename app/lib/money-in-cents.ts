import { type Cents, formatCount } from './money.ts';

/** `AU$2,199.00`: always with its cents, for figures below one another. Takes cents. */
export function formatMoneyInCents(cents: Cents): string {
  return `AU$${formatCount((cents / 100).toFixed(2))}`;
}
