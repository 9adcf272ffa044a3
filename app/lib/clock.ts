import { type Day, dayIn } from './dates.ts';

/** The only way to know the time: handed in from the composition root, never read from a module. */
export type Clock = {
  now(): Date;
  /** The instant it stands at when a setting fixes the day, ISO in UTC; null for the true time. */
  fixedAt: string | null;
};

/** The academy's day, in Brisbane. */
export const academyToday = (clock: Clock): Day => dayIn('Australia/Brisbane', clock.now());

export const systemClock: Clock = { now: () => new Date(), fixedAt: null };

/** Stands still at 9 am in Brisbane (UTC+10, no daylight saving) on an ISO day. */
export function clockFixedOn(day: string): Clock {
  const instant = new Date(`${day}T09:00:00+10:00`).getTime();
  return { now: () => new Date(instant), fixedAt: new Date(instant).toISOString() };
}
