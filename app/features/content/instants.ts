import { dayIn, formatDay } from '#app/lib/dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';

const zone = 'Australia/Brisbane';

/** `7 December 2026, 9:00 AM in Brisbane` */
export const inBrisbane = (instant: Date): string =>
  `${formatDay(dayIn(zone, instant))}, ${formatTime(wallClockAt(zone, instant).time)} in Brisbane`;
