/** Money is a whole number of cents, Australian dollars, GST included (P1). */
export type Cents = number;

/** `1,234,567`: a number with its thousands apart; with decimals, two of them. */
export function formatCount(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3}){1,7}(\.|$))/g, ',');
}

/** `AU$2,199` when whole, `AU$2,199.50` when not (P2). Takes cents. */
export function formatMoney(cents: Cents): string {
  return `AU$${formatCount(cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2))}`;
}

/** Dollars as written in a content file (at most two decimals) to cents. */
export function centsFromDollars(amount: number): Cents {
  return Math.round(amount * 100);
}

/** Cents to dollars as written in a content file. */
export function dollarsFromCents(cents: Cents): number {
  return cents / 100;
}
