import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { businessHoursOn } from '#app/lib/business-hours.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import { formatTime, instantOf } from '#app/lib/wall-clock.ts';

/**
 * Says at an instant whether the academy is open, and when to expect an answer (P20). `holidays` are the public holidays
 * of Queensland.
 */
export function openingText(now: Date, holidays: ReadonlySet<Day>): string {
  const opening = nextOpening(now, holidays);
  if (opening === 'open') return 'We are open now. Expect an answer within one business day.';
  const when = opening
    ? `on ${formatDay(opening.day)}, ${formatTime(opening.time)} Brisbane time`
    : 'after the holidays';
  return `We are closed now and open again ${when}. Expect an answer within one business day from then.`;
}

const daysAhead = 30;

/**
 * `open` within business hours in Brisbane, otherwise when they next begin; null when that is more than 30 days away.
 */
export function nextOpening(now: Date, holidays: ReadonlySet<Day>): 'open' | { day: Day; time: string } | null {
  const today = academyDay(now);
  for (let ahead = 0; ahead <= daysAhead; ahead++) {
    const day = addDays(today, ahead);
    const hours = holidays.has(day) ? null : businessHoursOn(day);
    if (!hours) continue;
    if (now < instantOf(day, hours.from, academyZone)) return { day, time: hours.from };
    if (now < instantOf(day, hours.to, academyZone)) return 'open';
  }
  return null;
}
