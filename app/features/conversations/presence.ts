import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { businessHoursOn } from '#app/lib/business-hours.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import { formatTime, instantOf } from '#app/lib/wall-clock.ts';

/** Whether staff are online, and the sentence that says so. */
export type Presence = { online: boolean; text: string };

/**
 * Says whether staff are online at an instant, or else when to expect an answer (P20). `holidays` are the public
 * holidays of Queensland.
 */
export function presenceOf(staffOnline: boolean, now: Date, holidays: ReadonlySet<Day>): Presence {
  if (staffOnline) return { online: true, text: 'One of our staff is online now.' };
  const opening = nextOpening(now, holidays);
  if (opening === 'open') {
    return {
      online: false,
      text: 'None of our staff is online now. Expect an answer within one business day.',
    };
  }
  const when = opening
    ? `on ${formatDay(opening.day)}, ${formatTime(opening.time)} Brisbane time`
    : 'after the holidays';
  return {
    online: false,
    text: `We are closed now and open again ${when}. Expect an answer within one business day from then.`,
  };
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
