import type { Place } from '#app/features/enrolments/enrolment.ts';
import { lastFirstDay } from '#app/features/enrolments/last-first-day.ts';
import { takesEnrolments } from '#app/features/seats/rules.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';

/** The other dates of a course: whether one has a free seat, and which are full, each with its waiting list. */
export type OtherDates = { free: boolean; full: { slug: string; days: string }[] };

/**
 * The other dates of the course of a place that take enrolments, within the time to which one may move (P40). Of a full one
 * a seat is free to whom it is offered (`offered`).
 */
export function otherDates(
  place: Pick<Place, 'courseSlug' | 'session'>,
  sessions: readonly TrainingSession[],
  { today, offered }: { today: Day; offered: Pick<ReadonlyMap<number, unknown>, 'has'> },
): OtherDates {
  const others = sessions.filter(
    (session) =>
      session.course.slug === place.courseSlug &&
      session.id !== place.session?.id &&
      takesEnrolments(session, today) &&
      session.startDate <= lastFirstDay(today),
  );
  const isFree = ({ id, seatsAvailable }: TrainingSession) => seatsAvailable > 0 || offered.has(id);
  return {
    free: others.some(isFree),
    full: others
      .filter((session) => !isFree(session))
      .map(({ slug, startDate, endDate }) => ({ slug, days: formatDays(startDate, endDate) })),
  };
}

/** The date of a place when no seat is free in it: its slug, for its waiting list; null when one is, or it has no date. */
export function fullDateOf(place: Pick<Place, 'session'>, sessions: readonly TrainingSession[]): string | null {
  const own = sessions.find(({ id }) => id === place.session?.id);
  return own && own.seatsAvailable <= 0 ? own.slug : null;
}
