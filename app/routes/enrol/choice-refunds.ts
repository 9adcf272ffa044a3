import { agreementOn, type RefundLadder } from '#app/features/site/agreement.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays, type Day, formatDayAndMonth } from '#app/lib/dates.ts';

/** The refund facts for the choice of a date (P31). */
export type ChoiceRefunds = { today: Day } & Pick<RefundLadder, 'fullDays' | 'halfDays' | 'fullHours'>;

export function refundsOf(snapshot: Snapshot, now: Date): ChoiceRefunds {
  const today = academyDay(now);
  const { fullDays, halfDays, fullHours } = agreementOn(snapshot, today).ladder;
  return { today, fullDays, halfDays, fullHours };
}

/** The refunds for a date and their last days, for an enrolment today. */
export function refundText(firstDay: Day, { today, fullDays, halfDays, fullHours }: ChoiceRefunds): string {
  const [full, half] = [addDays(firstDay, -fullDays), addDays(firstDay, -halfDays)];
  if (full >= today) return `Full refund until ${formatDayAndMonth(full)}`;
  if (half >= today) return `Half refund until ${formatDayAndMonth(half)}`;
  return `No refund after ${fullHours} hours`;
}
