import { takesEnrolments } from '#app/features/course-dates/seat-rules.ts';
import { type Day, formatDayAndMonth } from '#app/lib/dates.ts';
import type { CourseDate } from './course-date.ts';

/** The state of a course date on a day (P39). Only cancelled is stored, the others are computed. */
export type Standing = 'open' | 'full' | 'closed' | 'running' | 'done' | 'cancelled';

type Dated = Pick<CourseDate, 'startDate' | 'endDate' | 'enrolmentEnds' | 'state'>;

/** The state of a course date on a day in Brisbane. While it takes enrolments it is open or full, on its first day too. */
export function standingOf(courseDate: Dated & Pick<CourseDate, 'seatsAvailable'>, today: Day): Standing {
  if (courseDate.state === 'cancelled') return 'cancelled';
  if (today > courseDate.endDate) return 'done';
  if (takesEnrolments(courseDate, today)) return courseDate.seatsAvailable > 0 ? 'open' : 'full';
  return today < courseDate.startDate ? 'closed' : 'running';
}

type Decided = Pick<CourseDate, 'state' | 'minimum' | 'seatsSold' | 'decidedBy'>;

/**
 * Whether it is held, as a sentence without its full stop: "Confirmed", "Confirmed once 2 more enrol, and we decide by
 * 3 October", or, once the day of decision is over or enough have enrolled, that it is being decided (P39).
 */
export function decisionText({ state, minimum, seatsSold, decidedBy }: Decided, today: Day): string {
  if (state === 'cancelled') return 'Cancelled';
  if (state === 'confirmed' || decidedBy === null) return 'Confirmed';
  const missing = minimum - seatsSold;
  if (missing <= 0) return 'Enough people have enrolled, and staff are confirming it';
  if (today > decidedBy) return 'Staff are deciding now whether it goes ahead';
  return `Confirmed once ${missing} more ${missing === 1 ? 'enrols' : 'enrol'}, and we decide by ${formatDayAndMonth(decidedBy)}`;
}
