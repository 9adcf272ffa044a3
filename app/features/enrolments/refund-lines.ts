import { type Refund, refundReasons } from '#app/features/money/refund.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import type { Enrolment } from './enrolment.ts';
import type { CancellationPlan } from './purchases.ts';

/** A line of a refund: for what, how much, and why. What a combo's discount takes off is below zero. */
export type RefundLine = { label: string; cents: Cents; reason: string };

/**
 * A refund line by line (P99): one for each course that ends, then the discount on the begun ones. The lines add up to
 * the refund.
 */
export function refundLines(
  { places }: Pick<Enrolment, 'places'>,
  { courses, begun }: Pick<Refund, 'courses' | 'begun'>,
): RefundLine[] {
  const titleOf = (placeId: number) => places.find(({ id }) => id === placeId)?.courseTitle ?? '';
  const lines = courses.map(({ id, cents, reason }) => ({ label: titleOf(id), cents, reason: refundReasons[reason] }));
  if (begun.cents === 0) return lines;
  const which = begun.ids.map(titleOf).join(' and ');
  const reason = `Taken off, because ${which} ${begun.ids.length === 1 ? 'has' : 'have'} begun.`;
  return [...lines, { label: 'The combo’s discount', cents: -begun.cents, reason }];
}

/**
 * A cancellation for the buyer's email: line by line what comes off the invoice and why, and by how much it falls.
 * `reason` is that of staff who refund in full.
 */
export function refundInWords(
  enrolment: Pick<Enrolment, 'places'>,
  plan: CancellationPlan,
  reason: string | undefined,
): string[] {
  const several = new Set(enrolment.places.map(({ attendee }) => attendee.seat)).size > 1;
  const lines = plan.refunds.flatMap((refund) => {
    const [first] = refund.courses;
    const who = enrolment.places.find(({ id }) => id === first?.id)?.attendee.name ?? 'the person to be named';
    return refundLines(enrolment, refund).map((line) => ({
      ...line,
      label: several ? `${line.label}, ${who}` : line.label,
    }));
  });
  const [only, ...others] = lines;
  const words =
    only && others.length === 0
      ? [only.reason]
      : lines.map(({ label, cents, reason: why }) => `${label}: ${signed(cents)}. ${why}`);
  const falls =
    plan.cents > 0
      ? `Your invoice falls by ${formatMoney(plan.cents)} incl. GST; the adjustment note is attached.`
      : 'No invoice changes.';
  return [...(reason === undefined ? words : [reason]), falls];
}

/** Why charges fall, as the adjustment note says it; `reason` is that of staff who refund in full. */
export function noteReason(
  enrolment: Pick<Enrolment, 'places'>,
  { refunds }: CancellationPlan,
  reason: string | undefined,
): string {
  if (reason !== undefined) return reason;
  const lines = refunds.flatMap((refund) => refundLines(enrolment, refund)).filter(({ cents }) => cents !== 0);
  const words = lines.map(({ label, cents, reason: why }) => (cents < 0 ? `${label}, ${signed(cents)}. ${why}` : why));
  return ['Cancelled.', ...new Set(words)].join(' ');
}

const signed = (cents: Cents) => (cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents));

/** The result of a refund of which so much is paid out: it is sent back, or lowers what is owed. */
export function settledAs(cents: Cents, refundCents: Cents): 'back' | 'less to pay' | 'off your invoice' {
  if (refundCents === cents) return 'back';
  return refundCents === 0 ? 'less to pay' : 'off your invoice';
}
