import { agreementOn } from '#app/features/site/agreement.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { addDays, type Day, dayIn, formatDayAndMonth } from '#app/lib/dates.ts';

/** What the choice of a date has to know of the refunds (P31). */
export type ChoiceRefunds = { today: Day; fullDays: number };

export function refundsOf(snapshot: Snapshot, now: Date): ChoiceRefunds {
  const today = dayIn('Australia/Brisbane', now);
  return { today, fullDays: agreementOn(snapshot, today).ladder.fullDays };
}

/** Until when all of it comes back for a date; '' when that day is over. */
export function fullRefundText(firstDay: Day, { today, fullDays }: ChoiceRefunds): string {
  const last = addDays(firstDay, -fullDays);
  return last >= today ? `Full refund until ${formatDayAndMonth(last)}` : '';
}
