/** Money is a whole number of cents, Australian dollars, GST included (P1). */
export type Cents = number;

/** `1,234,567`: a whole number with its thousands apart. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `AU$2,199` when whole, `AU$2,199.50` when not (P2). Takes cents. */
export function formatMoney(cents: Cents): string {
  const rest = Math.abs(cents % 100);
  const whole = formatCount(Math.trunc(Math.abs(cents) / 100));
  return `AU$${cents < 0 ? '-' : ''}${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/** Dollars as written in a content file (at most two decimals) to cents. */
export function centsFromDollars(amount: number): Cents {
  return Math.round(amount * 100);
}

/** Cents to dollars as written in a content file. */
export function dollarsFromCents(cents: Cents): number {
  return cents / 100;
}
