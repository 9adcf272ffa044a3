import { type Day, dayIn } from './dates.ts';

/** The only source of the current time: passed in by the composition root, never imported. */
export type Clock = {
  now(): Date;
  /** The fixed instant when a setting fixes the day, ISO in UTC; null for the true time. */
  fixedAt: string | null;
};

/** The current day in Brisbane, the academy's time zone. */
export const academyToday = (clock: Clock): Day => dayIn('Australia/Brisbane', clock.now());

export const systemClock: Clock = { now: () => new Date(), fixedAt: null };

/** A clock that always shows 9 am in Brisbane (UTC+10, no daylight saving) on an ISO day. */
export function clockFixedOn(day: string): Clock {
  const instant = new Date(`${day}T09:00:00+10:00`).getTime();
  return { now: () => new Date(instant), fixedAt: new Date(instant).toISOString() };
}
