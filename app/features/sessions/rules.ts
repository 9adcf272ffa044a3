import { takesEnrolments } from '#app/features/seats/rules.ts';
import type { Day } from '#app/lib/dates.ts';
import { placesOf } from '#app/lib/delivery.ts';
import { splitHours } from '#app/lib/taught-hours.ts';
import { formatTime, unbrokenTimes, zoneOfDays } from '#app/lib/wall-clock.ts';
import type { SessionTimes, TrainingSession } from './session.ts';
import type { Standing } from './states.ts';

/** Sessions that start on `today` or later, in the order given. */
export function upcomingSessions(sessions: readonly TrainingSession[], today: Day): TrainingSession[] {
  return sessions.filter(({ startDate }) => startDate >= today);
}

/** The sessions of a course that have not begun on `today`, by start. */
export function upcomingSessionsOf(sessions: readonly TrainingSession[], courseSlug: string, today: Day) {
  return upcomingSessions(sessions, today).filter(({ course }) => course.slug === courseSlug);
}

/**
 * Whether a date makes a course one that is taken on dates (P38): it takes enrolments, and its seats are not all sold or
 * offered. Seats that are only held count, so that nothing changes while somebody fills in the form.
 */
export const hasFreeSeat = (session: TrainingSession, today: Day): boolean =>
  takesEnrolments(session, today) && (session.seatsAvailable > 0 || (session.kept?.held ?? 0) > 0);

/** Slugs of the courses that have a date with a free seat, each once. */
export function coursesOnDates(sessions: readonly TrainingSession[], today: Day): string[] {
  const open = sessions.filter((session) => hasFreeSeat(session, today));
  return [...new Set(open.map(({ course }) => course.slug))];
}

/** How many dates to come there are by place, `online` and cities in lower case; cancelled ones do not count. */
export function datesByPlace(sessions: readonly TrainingSession[], today: Day): Record<string, number> {
  const held = upcomingSessions(sessions, today).filter(({ state }) => state !== 'cancelled');
  const counts: Record<string, number> = {};
  for (const place of held.flatMap(placesOf)) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

export type QuickStats = { upcomingCourses: number; availableSeats: number; thisMonth: number };

/** The figures of the Quick Stats box, counted from the sessions to come (P13); a cancelled one is none. */
export function quickStats(upcoming: readonly TrainingSession[], today: Day): QuickStats {
  const month = today.slice(0, 7);
  const held = upcoming.filter(({ state }) => state !== 'cancelled');
  return {
    upcomingCourses: held.length,
    availableSeats: held
      .filter((session) => takesEnrolments(session, today))
      .reduce((sum, { seatsAvailable }) => sum + seatsAvailable, 0),
    thisMonth: held.filter(({ startDate }) => startDate.startsWith(month)).length,
  };
}

/** Sessions that run on a day, first and last day included; cancelled ones do not. */
export function sessionsOn(sessions: readonly TrainingSession[], day: Day): TrainingSession[] {
  return sessions.filter(
    ({ startDate, endDate, state }) => startDate <= day && day <= endDate && state !== 'cancelled',
  );
}

/** `9:00 AM to 5:00 PM AEST`, on each day of the session (P14). */
export function formatSessionTime(session: SessionTimes): string {
  const zone = zoneOfDays(session.zone, [session.startDate, session.endDate]);
  return unbrokenTimes(`${formatTime(session.startTime)} to ${formatTime(session.endTime)} ${zone}`);
}

/**
 * `80 hours: 37.5 taught live, 42.5 in your own time`, or `30 hours, all taught live`: how the hours of the course are spent in this
 * session.
 */
export function formatSessionHours(session: TrainingSession): string {
  const { hours } = session.course;
  const { taught, own } = splitHours(session, hours);
  if (own === 0) return `${hours} hours, all taught live`;
  return `${hours} hours: ${taught} taught live, ${own} in your own time`;
}

/** `12 seats left`, `full` or `enrolment closed`: of a session to come, inside a sentence. */
export function seatsText({ seatsAvailable }: Pick<TrainingSession, 'seatsAvailable'>, standing: Standing): string {
  if (standing === 'full') return 'full';
  if (standing !== 'open') return 'enrolment closed';
  return seatsAvailable === 1 ? '1 seat left' : `${seatsAvailable} seats left`;
}
