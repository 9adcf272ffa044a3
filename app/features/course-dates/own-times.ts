import type { Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { CourseDate, CourseDateTimes } from './course-date.ts';

/**
 * The facts with which a browser writes the times of a course date in its visitor's zone (P14): the instants at which
 * the first day begins and ends, in milliseconds, and the offset of the course date's zone from UTC then, in minutes;
 * the instant at which the last day begins, with its offset.
 */
export type OwnTimes = readonly [start: number, end: number, ahead: number, lastStart: number, lastAhead: number];

/** The own times of a course date; the browser turns them into words. None in a room: everybody is where it is. */
export function ownTimesOf(courseDate: CourseDateTimes & Pick<CourseDate, 'delivery'>): OwnTimes | null {
  const { startDate, endDate, startTime, endTime, zone, delivery } = courseDate;
  if (delivery === 'in-person') return null;
  const at = (day: Day, time: string) => instantOf(day, time, zone).getTime();
  const ahead = (day: Day) => (Date.parse(`${day}T${startTime}:00Z`) - at(day, startTime)) / 60_000;
  const [start, end] = [at(startDate, startTime), at(startDate, endTime)];
  return [start, end, ahead(startDate), at(endDate, startTime), ahead(endDate)];
}
