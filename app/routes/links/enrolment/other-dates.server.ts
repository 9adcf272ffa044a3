import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { takesEnrolments } from '#app/features/course-dates/rules.ts';
import { lastFirstDay, type Place } from '#app/features/enrolments/enrolment.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';

/** The other dates of a course: whether one has a free seat, and which are full, each with its waiting list. */
export type OtherDates = { free: boolean; full: { slug: string; days: string }[] };

/**
 * The other dates of the course of a place that take enrolments, within the time to which one may move (P40). A full date
 * counts as free for a buyer whom its waiting list offers a seat (`offered`).
 */
export function otherDates(
  place: Pick<Place, 'courseSlug' | 'courseDate'>,
  courseDates: readonly CourseDate[],
  { today, offered }: { today: Day; offered: Pick<ReadonlyMap<number, unknown>, 'has'> },
): OtherDates {
  const others = courseDates.filter(
    (courseDate) =>
      courseDate.course.slug === place.courseSlug &&
      courseDate.id !== place.courseDate?.id &&
      takesEnrolments(courseDate, today) &&
      courseDate.startDate <= lastFirstDay(today),
  );
  const isFree = ({ id, seatsAvailable }: CourseDate) => seatsAvailable > 0 || offered.has(id);
  return {
    free: others.some(isFree),
    full: others
      .filter((courseDate) => !isFree(courseDate))
      .map(({ slug, startDate, endDate }) => ({ slug, days: formatDays(startDate, endDate) })),
  };
}

/**
 * Why nobody can be added to a date: it takes no enrolments any more, or no seat is free; `slug` is for its waiting list,
 * null for a private date, which has none.
 */
export type NoSeat = { why: 'closed' } | { why: 'full'; slug: string | null };

/** Why nobody can be added to the date of a place; null when somebody can, or it has no date. `listed`: those in public. */
export function noSeatOf(
  { courseDate }: Pick<Place, 'courseDate'>,
  courseDates: readonly CourseDate[],
  { today, listed }: { today: Day; listed: readonly CourseDate[] },
): NoSeat | null {
  if (!courseDate) return null;
  const own = courseDates.find(({ id }) => id === courseDate.id);
  if (!own || !takesEnrolments(own, today)) return { why: 'closed' };
  return own.seatsAvailable <= 0 ? { why: 'full', slug: listed.includes(own) ? own.slug : null } : null;
}
