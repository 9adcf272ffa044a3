/** Money is a whole number of cents, Australian dollars, GST included (P1). */
export type Cents = number;

const dollars = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 0 });
const dollarsAndCents = new Intl.NumberFormat('en-AU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `AU$2,199` when whole, `AU$2,199.50` when not (P2). Takes cents. */
export function formatMoney(cents: Cents): string {
  const format = cents % 100 === 0 ? dollars : dollarsAndCents;
  return `AU$${format.format(cents / 100)}`;
}

/** Dollars as written in a content file (at most two decimals) to cents. */
export function centsFromDollars(amount: number): Cents {
  return Math.round(amount * 100);
}

/** Cents to dollars as written in a content file. */
export function dollarsFromCents(cents: Cents): number {
  return cents / 100;
}
