import { type Day, dayIn } from './dates.ts';

/** The academy's time zone. It has no daylight saving. */
export const academyZone = 'Australia/Brisbane';

/** The day on the academy's calendar at an instant. */
export const academyDay = (at: Date): Day => dayIn(academyZone, at);
