import { formatMoney } from '#app/lib/money.ts';
import { type Refund, refundReasons } from './money/refund-ladder.ts';

/** Why a charge falls, for somebody to whom nothing comes back because nothing was paid. */
const unpaidReasons: Partial<Record<Refund['reason'], string>> = {
  'academy-changed': 'We cancelled or moved the session, so nothing is charged for it.',
  'seat-sold-again': 'Somebody else has taken the seat, so nothing is charged for it.',
  'first-24-hours': 'It was placed within the last 24 hours, so nothing is charged for it.',
  'two-weeks': 'It is 14 days or more before the first day, so nothing is charged for it.',
  'one-week': 'It is 13 to 7 days before the first day, so half of it is charged.',
  'too-late': 'It is less than 7 days before the first day, so all of it is charged.',
  'not-started': 'Guided study has not started, so nothing is charged for it.',
  'modules-left': 'Only the part for the modules opened before is charged.',
  'lower-after-move': 'The place was moved, so the higher of the charges for the day of the move and for today stays.',
};

/**
 * What cancelling places meant in money, for the mail to their buyer: why, and by how much the charge falls. `paid` is
 * whether something of it is sent back; to somebody who paid nothing, nothing is said to come back (P40).
 */
export function cancelledInWords(
  refunds: readonly Refund[],
  { paid, reason }: { paid: boolean; reason: string | undefined },
): string[] {
  const [first] = refunds;
  const cents = refunds.reduce((sum, refund) => sum + refund.cents, 0);
  const ladder = first && ((paid ? undefined : unpaidReasons[first.reason]) ?? refundReasons[first.reason]);
  const why = reason ?? ladder;
  if (cents > 0) {
    return [
      ...(why ? [why] : []),
      `The charge falls by ${formatMoney(cents)} incl. GST; the adjustment note is attached.`,
    ];
  }
  const stays = first?.reason === 'no-date' ? [] : ['The invoice stays as it is.'];
  return [...(why ? [why] : []), ...stays];
}
