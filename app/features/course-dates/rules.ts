import { takesEnrolments } from '#app/features/course-dates/seat-rules.ts';
import type { Day } from '#app/lib/dates.ts';
import { placesOf } from '#app/lib/delivery.ts';
import { splitHours } from '#app/lib/taught-hours.ts';
import { formatTime, unbrokenTimes, zoneOfDays } from '#app/lib/wall-clock.ts';
import type { CourseDate, CourseDateTimes } from './course-date.ts';
import type { Standing } from './states.ts';

/** Course dates that start on `today` or later, in the order given. */
export function upcomingCourseDates(courseDates: readonly CourseDate[], today: Day): CourseDate[] {
  return courseDates.filter(({ startDate }) => startDate >= today);
}

/** The course dates of a course that have not begun on `today`, by start. */
export function upcomingCourseDatesOf(courseDates: readonly CourseDate[], courseSlug: string, today: Day) {
  return upcomingCourseDates(courseDates, today).filter(({ course }) => course.slug === courseSlug);
}

/**
 * Whether a date makes a course one that is taken on dates (P38): it takes enrolments, and its seats are not all sold or
 * offered. Seats that are only held count, so that nothing changes while somebody fills in the form.
 */
export const hasFreeSeat = (courseDate: CourseDate, today: Day): boolean =>
  takesEnrolments(courseDate, today) && (courseDate.seatsAvailable > 0 || (courseDate.kept?.held ?? 0) > 0);

/** Slugs of the courses that have a date with a free seat, each once. */
export function coursesOnDates(courseDates: readonly CourseDate[], today: Day): string[] {
  const open = courseDates.filter((courseDate) => hasFreeSeat(courseDate, today));
  return [...new Set(open.map(({ course }) => course.slug))];
}

/** How many dates to come there are by place, `online` and cities in lower case; cancelled ones do not count. */
export function datesByPlace(courseDates: readonly CourseDate[], today: Day): Record<string, number> {
  const held = upcomingCourseDates(courseDates, today).filter(({ state }) => state !== 'cancelled');
  const counts: Record<string, number> = {};
  for (const place of held.flatMap(placesOf)) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

export type QuickStats = { upcomingCourses: number; availableSeats: number; thisMonth: number };

/** The figures of the Quick Stats box, counted from the course dates to come (P13); a cancelled one is none. */
export function quickStats(upcoming: readonly CourseDate[], today: Day): QuickStats {
  const month = today.slice(0, 7);
  const held = upcoming.filter(({ state }) => state !== 'cancelled');
  return {
    upcomingCourses: held.length,
    availableSeats: held
      .filter((courseDate) => takesEnrolments(courseDate, today))
      .reduce((sum, { seatsAvailable }) => sum + seatsAvailable, 0),
    thisMonth: held.filter(({ startDate }) => startDate.startsWith(month)).length,
  };
}

/** Course dates that run on a day, first and last day included; cancelled ones do not. */
export function courseDatesOn(courseDates: readonly CourseDate[], day: Day): CourseDate[] {
  return courseDates.filter(
    ({ startDate, endDate, state }) => startDate <= day && day <= endDate && state !== 'cancelled',
  );
}

/** `9:00 AM to 5:00 PM AEST`, on each day of the course date (P14). */
export function formatCourseDateTime(courseDate: CourseDateTimes): string {
  const zone = zoneOfDays(courseDate.zone, [courseDate.startDate, courseDate.endDate]);
  return unbrokenTimes(`${formatTime(courseDate.startTime)} to ${formatTime(courseDate.endTime)} ${zone}`);
}

/**
 * `80 hours: 37.5 taught live, 42.5 in your own time`, or `30 hours, all taught live`: how the hours of the course are spent in this
 * course date.
 */
export function formatCourseDateHours(courseDate: CourseDate): string {
  const { hours } = courseDate.course;
  const { taught, own } = splitHours(courseDate, hours);
  if (own === 0) return `${hours} hours, all taught live`;
  return `${hours} hours: ${taught} taught live, ${own} in your own time`;
}

/** `12 seats left`, `full` or `enrolment closed`: of a course date to come, inside a sentence. */
export function seatsText({ seatsAvailable }: Pick<CourseDate, 'seatsAvailable'>, standing: Standing): string {
  if (standing === 'full') return 'full';
  if (standing !== 'open') return 'enrolment closed';
  return seatsAvailable === 1 ? '1 seat left' : `${seatsAvailable} seats left`;
}
