import { academyDay, academyZone } from './academy-day.ts';
import { businessDaysAfter } from './business-days.ts';
import { businessHoursOn } from './business-hours.ts';
import type { Day } from './dates.ts';
import { instantOf } from './wall-clock.ts';

/** The closing time of the academy on a business day, Brisbane time. */
export const closingTime = (day: Day): Date => instantOf(day, businessHoursOn(day)?.to ?? '18:00', academyZone);

/**
 * The instant by which the academy answers a message, as its confirmations promise: within one business day, so by
 * closing time on the business day after it came. `holidays` are Queensland's.
 */
export const promisedAnswerBy = (came: Date, holidays: ReadonlySet<Day>): Date =>
  closingTime(businessDaysAfter(academyDay(came), 1, holidays));
