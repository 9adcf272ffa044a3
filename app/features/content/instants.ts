import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';

/** `7 December 2026, 9:00 AM in Brisbane` */
export const inBrisbane = (instant: Date): string =>
  `${formatDay(academyDay(instant))}, ${formatTime(wallClockAt(academyZone, instant).time)} in Brisbane`;
