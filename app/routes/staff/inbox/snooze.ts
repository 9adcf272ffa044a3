import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { hourMs } from '#app/lib/durations.ts';
import { instantOf } from '#app/lib/wall-clock.ts';

const longestDays = 60;

export const snoozes = { hour: 'For an hour', tomorrow: 'Until tomorrow 9:00 AM', day: 'Until 9:00 AM on' } as const;
export type Snooze = keyof typeof snoozes;

/**
 * The instant until which something is put off (P81): an hour, or 9:00 AM in Brisbane on the next or a named day. Null for
 * a day that is not after today or more than 60 days ahead.
 */
export function snoozeUntil(choice: Snooze, day: Day, now: Date): Date | null {
  if (choice === 'hour') return new Date(now.getTime() + hourMs);
  const today = academyDay(now);
  const until = choice === 'tomorrow' ? addDays(today, 1) : day;
  if (until <= today || until > addDays(today, longestDays)) return null;
  return instantOf(until, '09:00', academyZone);
}
