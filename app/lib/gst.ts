import type { Cents } from './money.ts';

/**
 * The GST in the total of an invoice whose items are all taxable: one eleventh of the total, rounded to the nearest cent;
 * an eleventh of whole cents never ends in half a cent. That is the total invoice rule of section 9-90 of the A New Tax System (Goods and Services Tax)
 * Act 1999.
 */
export function gstIn(totalCents: Cents): Cents {
  return Math.floor((2 * totalCents + 11) / 22);
}
