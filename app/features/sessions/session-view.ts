import { keptText } from '#app/features/seats/kept-seats.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { type OwnTimes, ownTimesOf } from './own-times.ts';
import { formatSessionTime } from './rules.ts';
import type { TrainingSession } from './session.ts';
import { decisionText, type Standing, standingOf } from './states.ts';

/** The part of a session that sales and decisions change, as pages show it; `/api/seats` has it by slug. */
export type LiveSeats = Pick<TrainingSession, 'seatsAvailable'> & {
  standing: Standing;
  decision: string;
  /** Seats that may come free again, in sentences; '' for none. */
  keptSeats: string;
};

/** A session as pages show it on one day: its words are made on the server, once for page and browser. */
export type SessionView = TrainingSession &
  LiveSeats & {
    /** `9:00 AM to 5:00 PM AEST` */
    times: string;
    ownTimes: OwnTimes | null;
    /** The next date of the same course that one can enrol in, when this one cannot be had. */
    next: { slug: string; days: string } | null;
  };

/** A session as it is shown on a day in Brisbane; `sessions` are all, ordered by start. */
export function viewOf(session: TrainingSession, sessions: readonly TrainingSession[], today: Day): SessionView {
  const standing = standingOf(session, today);
  const next =
    standing === 'open'
      ? undefined
      : sessions.find((other) => other.course.slug === session.course.slug && standingOf(other, today) === 'open');
  return {
    ...session,
    times: formatSessionTime(session),
    ownTimes: ownTimesOf(session),
    standing,
    decision: decisionText(session, today),
    keptSeats: keptTextOf(session, standing),
    next: next ? { slug: next.slug, days: formatDays(next.startDate, next.endDate) } : null,
  };
}

export function liveSeatsOf(session: TrainingSession, today: Day): LiveSeats {
  const { seatsAvailable } = session;
  const standing = standingOf(session, today);
  const decision = decisionText(session, today);
  return { seatsAvailable, standing, decision, keptSeats: keptTextOf(session, standing) };
}

/** Only for sessions that take enrolments. */
const keptTextOf = ({ kept }: TrainingSession, standing: Standing) =>
  standing === 'open' || standing === 'full' ? keptText(kept) : '';

/** The answer of `/api/seats`: seats on offer in all sessions to come, and each session by its slug. */
export type SeatsNow = { available: number; sessions: Record<string, LiveSeats> };
