import type { Day } from '#app/lib/dates.ts';
import type { SessionState } from '#app/lib/session-state.ts';

type Dated = { state: SessionState; startDate: Day; enrolmentEnds: Day };

/**
 * Whether one can still enrol, seats apart, on a day in Brisbane, whatever the zone of the room: until the end of the
 * last day of enrolment, never later than the first day, and not in a cancelled session (P39).
 */
export function takesEnrolments(session: Dated, today: Day): boolean {
  return session.state !== 'cancelled' && today <= session.enrolmentEnds && today <= session.startDate;
}
