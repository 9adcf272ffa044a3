import { ladder } from '#app/features/money/refund.ts';
import { addDays, type Day, formatDayAndMonth } from '#app/lib/dates.ts';

/** The refund for a date and its last day, for an enrolment today (P31). */
export function refundHint(firstDay: Day, today: Day): string {
  const [full, half] = [addDays(firstDay, -ladder.fullDays), addDays(firstDay, -ladder.halfDays)];
  if (full >= today) return `Full refund until ${formatDayAndMonth(full)}`;
  if (half >= today) return `Half refund until ${formatDayAndMonth(half)}`;
  return `No refund after ${ladder.fullHours} hours`;
}
