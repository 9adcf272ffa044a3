import { businessDaysAfter, businessDaysBefore } from '#app/lib/business-days.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** The fewest business days that a buyer has to pay an invoice (P39). */
const leastBusinessDays = 3;

/**
 * The day by which an invoice is to be paid (P39): 14 days after issue, or two business days before the first day of
 * its course, whichever is earlier; never sooner than three business days after issue, even when that is after the
 * first day. `firstDay` is null when no line has a first day; `holidays` are those of Queensland. An organisation with
 * agreed terms has so many days, whenever its course is (P117).
 */
export function dueOn(issuedOn: Day, firstDay: Day | null, holidays: ReadonlySet<Day>, termsDays?: number): Day {
  if (termsDays !== undefined) return notTooSoon(issuedOn, addDays(issuedOn, termsDays), holidays);
  const usual = addDays(issuedOn, 14);
  const before = firstDay === null ? usual : businessDaysBefore(firstDay, 2, holidays);
  if (before >= usual) return notTooSoon(issuedOn, usual, holidays);
  return notTooSoon(issuedOn, before, holidays);
}

/** A due date, put off to three business days after the day of issue when it is sooner (P39). */
export function notTooSoon(issuedOn: Day, due: Day, holidays: ReadonlySet<Day>): Day {
  const soonest = businessDaysAfter(issuedOn, leastBusinessDays, holidays);
  return due < soonest ? soonest : due;
}

/** `INV-00042`. */
export const invoiceNumber = (number: number) => `INV-${String(number).padStart(5, '0')}`;

/** `ADJ-00042`. */
export const noteNumber = (number: number) => `ADJ-${String(number).padStart(5, '0')}`;

/** `OFF-00042` (P111). */
export const offerNumber = (number: number) => `OFF-${String(number).padStart(5, '0')}`;

/**
 * The reference for a bank transfer: `INV00042 BB7KQ2MX`. Without hyphens, because a transfer between Australian banks
 * carries 18 characters of reference only.
 */
export function paymentReference(number: number, enrolmentReference: string): string {
  return `${invoiceNumber(number)} ${enrolmentReference}`.replaceAll('-', '');
}
