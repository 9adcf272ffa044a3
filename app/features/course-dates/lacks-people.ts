import { sql } from 'kysely';
import { addDays, type Day } from '#app/lib/dates.ts';

/** How many days before its first day a course date that sales never confirmed is staff's to decide. */
const decidedDaysBefore = 14;

/**
 * Of `course_dates` and `course_date_seats`: the course date is confirmed, has fewer people than its minimum, and staff
 * did not decide to hold it (P39). One that sales confirmed had enough before; any other is asked about once it starts
 * soon.
 */
export const lacksPeople = (today: Day) =>
  sql<boolean>`(course_dates.state = 'confirmed' and held_anyway_at is null and course_date_seats.sold < minimum
  and (confirmed_on is not null or starts_on <= ${addDays(today, decidedDaysBefore)}))`;
