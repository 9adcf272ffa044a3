import type { Cents } from '#app/lib/money.ts';

/** The sums of an enrolment's documents and money; refunds that failed are not counted. */
export type Account = { invoicedCents: Cents; creditedCents: Cents; paidCents: Cents; refundedCents: Cents };

/** The balance in cents (P39): above zero the buyer owes it, below zero the academy owes it to the buyer. */
export function balanceOf({ invoicedCents, creditedCents, paidCents, refundedCents }: Account): Cents {
  return invoicedCents - creditedCents - paidCents + refundedCents;
}

/**
 * A credit first lowers the debt (P40), and only the rest is paid out. `balanceCents` is the balance
 * before the credit; what was overpaid before is not part of the refund.
 */
export function splitCredit(balanceCents: Cents, creditCents: Cents): { stillOwedCents: Cents; refundCents: Cents } {
  const owed = Math.max(0, balanceCents);
  return {
    stillOwedCents: Math.max(0, balanceCents - creditCents),
    refundCents: Math.max(0, creditCents - owed),
  };
}
