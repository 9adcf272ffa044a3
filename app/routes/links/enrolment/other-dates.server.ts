import type { Place } from '#app/features/enrolments/enrolment.ts';
import { lastFirstDay } from '#app/features/enrolments/last-first-day.ts';
import { takesEnrolments } from '#app/features/seats/rules.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';

/** The other dates of a course: whether one has a free seat, and which are full, each with its waiting list. */
export type OtherDates = { free: boolean; full: { slug: string; days: string }[] };

/**
 * The other dates of the course of a place that take enrolments, within the time to which one may move (P40). A full date
 * counts as free for a buyer whom its waiting list offers a seat (`offered`).
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

/** Why nobody can be added to a date: it takes no enrolments any more, or no seat is free; `slug` is for its waiting list. */
export type NoSeat = { why: 'closed' } | { why: 'full'; slug: string };

/** Why nobody can be added to the date of a place; null when somebody can, or it has no date. */
export function noSeatOf(
  { session }: Pick<Place, 'session'>,
  sessions: readonly TrainingSession[],
  today: Day,
): NoSeat | null {
  if (!session) return null;
  const own = sessions.find(({ id }) => id === session.id);
  if (!own || !takesEnrolments(own, today)) return { why: 'closed' };
  return own.seatsAvailable <= 0 ? { why: 'full', slug: own.slug } : null;
}
