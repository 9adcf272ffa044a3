import type { Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';

/** The times of a tap by the clock of the device, in milliseconds: of the tap and of the sending. */
export type Tap = { tappedMs: number; sentMs: number };

/**
 * The instant of a tap, by the clock of the program. A device's clock may be wrong by hours, so only the time that
 * passed on it counts. If the clock was set back in between, the tap counts as sent at once. A tap is never before its
 * day began.
 */
export function tapTime({ tappedMs, sentMs }: Tap, received: Date, { day, zone }: { day: Day; zone: string }): Date {
  const passedMs = Math.max(0, sentMs - tappedMs);
  const earliestMs = instantOf(day, '00:00', zone).getTime();
  return new Date(Math.min(received.getTime(), Math.max(earliestMs, received.getTime() - passedMs)));
}
