import { sql } from 'kysely';
import type { Content } from '#app/features/content/schema.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import { addDays, type Day, formatDayAndMonth, shortMonth } from '#app/lib/dates.ts';
import { type Delivery, placesOf, taughtText } from '#app/lib/delivery.ts';
import { splitHours } from '#app/lib/taught-hours.ts';
import { formatTime, unbrokenTimes, zoneOfDays } from '#app/lib/wall-clock.ts';
import type { CourseDate, CourseDateTimes } from './course-date.ts';

/**
 * How many seats may be taken, held, waited for or left unpaid without staff by one person, or by everybody on one network
 * (P24, P28), and how many an organisation may take that has paid before, or to which staff make a quote (P115).
 */
export const mostSeats = { person: 6, network: 12, organisation: 40 } as const;

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

/** The next date with a free seat by course, as cards name it: `14 Dec · Online/Brisbane`. */
export function nextDates(courseDates: readonly CourseDate[], today: Day): Record<string, string> {
  const next: Record<string, string> = {};
  for (const courseDate of courseDates) {
    const { course, startDate } = courseDate;
    if (next[course.slug] || !hasFreeSeat(courseDate, today)) continue;
    next[course.slug] = `${Number(startDate.slice(8))} ${shortMonth(startDate)} · ${taughtText(courseDate)}`;
  }
  return next;
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

/** The state of a course date on a day (P39). Only cancelled is stored, the others are computed. */
export type Standing = 'open' | 'full' | 'closed' | 'running' | 'done' | 'cancelled';

type Dated = Pick<CourseDate, 'startDate' | 'endDate' | 'enrolmentEnds' | 'state'>;

/** The state of a course date on a day in Brisbane. While it takes enrolments it is open or full, on its first day too. */
export function standingOf(courseDate: Dated & Pick<CourseDate, 'seatsAvailable'>, today: Day): Standing {
  if (courseDate.state === 'cancelled') return 'cancelled';
  if (today > courseDate.endDate) return 'done';
  if (takesEnrolments(courseDate, today)) return courseDate.seatsAvailable > 0 ? 'open' : 'full';
  return today < courseDate.startDate ? 'closed' : 'running';
}

type Decided = Pick<CourseDate, 'state' | 'minimum' | 'seatsSold' | 'decidedBy'>;

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

/** How many days before its first day a course date that sales never confirmed is staff's to decide. */
const decidedDaysBefore = 14;

/**
 * Of `course_dates` and `course_date_seats`: the course date is confirmed, has fewer people than its minimum, and staff
 * did not decide to hold it (P39). A date that sales confirmed had enough people before; any other is asked about once
 * it starts soon.
 */
export const lacksPeople = (today: Day) =>
  sql<boolean>`(course_dates.state = 'confirmed' and held_anyway_at is null and course_date_seats.sold < minimum
  and (confirmed_on is not null or starts_on <= ${addDays(today, decidedDaysBefore)}))`;

/** The free seats of a course date in words: `1 left, 2 reserved for the waiting list`, or `full` (P48). */
export function freeSeats({ left, reserved }: { left: number; reserved: number }): string {
  const kept = reserved > 0 ? `, ${reserved} reserved for the waiting list` : '';
  return `${left < 1 ? 'full' : `${left} left`}${kept}`;
}

type DatedStart = { state: CourseDateState; startDate: Day; enrolmentEnds: Day };

/**
 * Whether one can still enrol, seats apart, on a day in Brisbane, whatever the zone of the room: until the end of the
 * last day of enrolment, never later than the first day, and not in a cancelled course date (P39).
 */
export function takesEnrolments(courseDate: DatedStart, today: Day): boolean {
  return courseDate.state !== 'cancelled' && today <= courseDate.enrolmentEnds && today <= courseDate.startDate;
}

/** Texts of how one joins a course date and what to bring, by where one takes part. */
export type Attending = NonNullable<Content['site']['attending']>;

type WayToAttend = { where: 'Online' | 'In the room'; joining: string; bring: readonly string[] };

/** How to join and what to bring, for each place in which one can take part; nothing while the content has no texts. */
export function attendingOf({ delivery }: { delivery: Delivery }, texts: Attending | null): WayToAttend[] {
  if (!texts) return [];
  const online: WayToAttend = { where: 'Online', ...texts.online };
  const room: WayToAttend = { where: 'In the room', ...texts.room };
  if (delivery === 'both') return [online, room];
  return [delivery === 'online' ? online : room];
}
