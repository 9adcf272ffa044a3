import type { CourseDateTimes } from '#app/features/course-dates/course-date.ts';
import { formatCourseDateTime } from '#app/features/course-dates/rules.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';

export type CourseDateDay = { day: Day; times: string };

/** The days of a course date with their hours; the zone's name is that of the day (P14). */
export function daysOf(courseDate: CourseDateTimes): CourseDateDay[] {
  const count = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
  const days = Array.from({ length: count }, (_, at) => addDays(courseDate.startDate, at));
  return days.map((day) => ({ day, times: formatCourseDateTime({ ...courseDate, startDate: day, endDate: day }) }));
}
