import { gstIn } from '#app/lib/gst.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Cash, Revenue } from './money.server.ts';

/** How the academy accounts for GST: by the day of issue of documents, or by the day of money. */
export type Basis = 'accruals' | 'cash';

export const basisIn = (params: URLSearchParams): Basis => (params.get('basis') === 'cash' ? 'cash' : 'accruals');

/** The figures of sales for a Business Activity Statement, in cents. */
export type BasFigures = {
  /** Total sales, GST included; not lowered by adjustments. */
  g1: Cents;
  /** GST on sales. */
  oneA: Cents;
  /** Decreasing adjustments of sales, which the statement has at 1B beside the GST on purchases. */
  oneB: Cents;
  /** The sum of the adjustments, in cents, GST included. */
  loweredBy: Cents;
};

/**
 * The figures of a quarter (P83). On accruals, tax invoices count in the quarter of their issue, with the GST they
 * state, and adjustment notes in their own. On cash, money for enrolments counts in the quarter in which it arrived and
 * refunds in that in which they were sent; GST is one eleventh (section 9-90 of the GST Act: everything sold is
 * taxable). Money that is matched to no enrolment is for no sale yet.
 */
export function basFigures(basis: Basis, revenue: Revenue, cash: Cash): BasFigures {
  if (basis === 'accruals') {
    const { invoicedCents, invoicedGstCents, creditedCents, creditedGstCents } = revenue;
    return { g1: invoicedCents, oneA: invoicedGstCents, oneB: creditedGstCents, loweredBy: creditedCents };
  }
  const received = cash.receivedCents - cash.unmatchedCents;
  const refunded = cash.refundedCents - cash.unmatchedRefundedCents;
  return { g1: received, oneA: gstIn(received), oneB: gstIn(refunded), loweredBy: refunded };
}

/** An amount as the statement has it: whole dollars, cents left out. */
export const wholeDollars = (cents: Cents): number => Math.floor(cents / 100);
