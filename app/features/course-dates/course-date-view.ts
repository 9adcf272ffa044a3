import { keptText } from '#app/features/course-dates/kept-seats.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import type { CourseDate } from './course-date.ts';
import { type OwnTimes, ownTimesOf } from './own-times.ts';
import { decisionText, formatCourseDateTime, type Standing, standingOf } from './rules.ts';

/** The part of a course date that sales and decisions change, as pages show it; `/api/seats` has it by slug. */
export type LiveSeats = Pick<CourseDate, 'seatsAvailable'> & {
  standing: Standing;
  decision: string;
  /** Seats that may come free again, in sentences; '' for none. */
  keptSeats: string;
};

/** A course date as pages show it on one day: its words are made on the server, once for page and browser. */
export type CourseDateView = CourseDate &
  LiveSeats & {
    /** `9:00 AM to 5:00 PM AEST` */
    times: string;
    ownTimes: OwnTimes | null;
    /** The next date of the same course that one can enrol in, when this one cannot be had. */
    next: { slug: string; days: string } | null;
  };

/** A course date as it is shown on a day in Brisbane; `course dates` are all, ordered by start. */
export function viewOf(courseDate: CourseDate, courseDates: readonly CourseDate[], today: Day): CourseDateView {
  const standing = standingOf(courseDate, today);
  const next =
    standing === 'open'
      ? undefined
      : courseDates.find(
          (other) => other.course.slug === courseDate.course.slug && standingOf(other, today) === 'open',
        );
  return {
    ...courseDate,
    times: formatCourseDateTime(courseDate),
    ownTimes: ownTimesOf(courseDate),
    standing,
    decision: decisionText(courseDate, today),
    keptSeats: keptTextOf(courseDate, standing),
    next: next ? { slug: next.slug, days: formatDays(next.startDate, next.endDate) } : null,
  };
}

export function liveSeatsOf(courseDate: CourseDate, today: Day): LiveSeats {
  const { seatsAvailable } = courseDate;
  const standing = standingOf(courseDate, today);
  const decision = decisionText(courseDate, today);
  return { seatsAvailable, standing, decision, keptSeats: keptTextOf(courseDate, standing) };
}

/** Only for course dates that take enrolments. */
const keptTextOf = ({ kept }: CourseDate, standing: Standing) =>
  standing === 'open' || standing === 'full' ? keptText(kept) : '';

/** The answer of `/api/seats`: seats on offer in all course dates to come, and each course date by its slug. */
export type SeatsNow = { available: number; courseDates: Record<string, LiveSeats> };
