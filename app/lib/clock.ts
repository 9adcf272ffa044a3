import { academyDay } from './academy-day.ts';
import { type Day, daysBetween } from './dates.ts';
import { dayMs } from './durations.ts';

/** The only source of the academy's time: passed in by the composition root, never imported. */
export type Clock = {
  now(): Date;
  /**
   * How far it is ahead of the true time, in milliseconds; 0 unless TODAY is set. For code that needs the true time.
   */
  aheadMs: number;
};

/** The current day in Brisbane, the academy's time zone. */
export const academyToday = (clock: Clock): Day => academyDay(clock.now());

/**
 * The academy's clock. Without TODAY it shows the true time. A day shifts it by whole days, so that every program
 * started on one day shows the same time; a day with a time, such as `2025-09-08T09:00` in Brisbane, is where it
 * starts. It runs on either way.
 */
export function openClock(today: string | undefined, trueNow: () => Date = () => new Date()): Clock {
  const aheadMs = today === undefined ? 0 : aheadOf(today, trueNow());
  return { now: () => new Date(trueNow().getTime() + aheadMs), aheadMs };
}

/**
 * The true time. Code that asks for it says who else measures by it: pg-boss and other work of PostgreSQL's now(),
 * Stripe, authenticator apps, or the file system.
 */
export const trueTime = (clock: Clock): Date => new Date(clock.now().getTime() - clock.aheadMs);

function aheadOf(today: string, trueNow: Date): number {
  // Brisbane has no daylight saving.
  if (today.includes('T')) return Date.parse(`${today}:00+10:00`) - trueNow.getTime();
  return daysBetween(academyDay(trueNow), today) * dayMs;
}
