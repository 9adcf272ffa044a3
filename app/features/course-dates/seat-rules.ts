import type { CourseDateState } from '#app/lib/course-date-state.ts';
import type { Day } from '#app/lib/dates.ts';

type Dated = { state: CourseDateState; startDate: Day; enrolmentEnds: Day };

/**
 * Whether one can still enrol, seats apart, on a day in Brisbane, whatever the zone of the room: until the end of the
 * last day of enrolment, never later than the first day, and not in a cancelled course date (P39).
 */
export function takesEnrolments(courseDate: Dated, today: Day): boolean {
  return courseDate.state !== 'cancelled' && today <= courseDate.enrolmentEnds && today <= courseDate.startDate;
}
