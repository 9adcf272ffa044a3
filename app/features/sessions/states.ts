import { takesEnrolments } from '#app/features/seats/rules.ts';
import { type Day, formatDayAndMonth } from '#app/lib/dates.ts';
import type { TrainingSession } from './session.ts';

/** The state of a training session on a day (P39). Only cancelled is stored, the others are computed. */
export type Standing = 'open' | 'full' | 'closed' | 'running' | 'done' | 'cancelled';

type Dated = Pick<TrainingSession, 'startDate' | 'endDate' | 'enrolmentEnds' | 'state'>;

/** The state of a session on a day in Brisbane. While it takes enrolments it is open or full, on its first day too. */
export function standingOf(session: Dated & Pick<TrainingSession, 'seatsAvailable'>, today: Day): Standing {
  if (session.state === 'cancelled') return 'cancelled';
  if (today > session.endDate) return 'done';
  if (takesEnrolments(session, today)) return session.seatsAvailable > 0 ? 'open' : 'full';
  return today < session.startDate ? 'closed' : 'running';
}

type Decided = Pick<TrainingSession, 'state' | 'minimum' | 'seatsSold' | 'decidedBy'>;

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
