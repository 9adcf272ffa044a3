import { type Day, dayIn } from './dates.ts';

/** The only way to know the time: handed in from the composition root, never read from a module. */
export type Clock = {
  now(): Date;
  /** Milliseconds by which it is ahead of the true time, for browsers that count down by their own: 0 for the true one. */
  aheadMs(): number;
};

/** The academy's day, in Brisbane. */
export const academyToday = (clock: Clock): Day => dayIn('Australia/Brisbane', clock.now());

export const systemClock: Clock = { now: () => new Date(), aheadMs: () => 0 };

/** Stands still at 9 am in Brisbane (UTC+10, no daylight saving) on an ISO day. */
export function clockFixedOn(day: string): Clock {
  const instant = new Date(`${day}T09:00:00+10:00`).getTime();
  return { now: () => new Date(instant), aheadMs: () => instant - Date.now() };
}
