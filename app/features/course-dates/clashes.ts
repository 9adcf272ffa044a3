import { zoneOfVenue } from '#app/features/content/rules.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { CourseDateTimes } from './changed-times.ts';

/** The facts of a course date that decide whether it clashes with another. `room` is null until it is set. */
export type Busy = Pick<
  CourseDateTimes,
  'startDate' | 'endDate' | 'startTime' | 'endTime' | 'delivery' | 'venue' | 'instructor'
> & { courseId: number; room: string | null };

/**
 * The reason why two course dates clash: the instructor at one time, or in two cities on one day; the room at one time;
 * or `course`: the same course on the same days in one place, which halves the sales of each.
 */
export type Clash = 'instructor' | 'room' | 'course';

/** Whether two course dates are in each other's way, for each of these. */
export const isClash: Readonly<Record<Clash, (a: Busy, b: Busy) => boolean>> = {
  instructor: (a, b) => a.instructor === b.instructor && (inTwoCities(a, b) || meet(a, b)),
  room: (a, b) => a.room !== null && a.venue === b.venue && sameRoom(a.room, b.room) && meet(a, b),
  course: (a, b) => a.courseId === b.courseId && a.venue === b.venue && shareDay(a, b),
};

/** How two course dates are in each other's way; empty when they are not (P77). */
export const clashesOf = (a: Busy, b: Busy): Clash[] =>
  (['instructor', 'room', 'course'] as const).filter((clash) => isClash[clash](a, b));

const sameRoom = (a: string, b: string | null) => a.trim().toLowerCase() === b?.trim().toLowerCase();

const shareDay = (a: Taught, b: Taught) => a.startDate <= b.endDate && b.startDate <= a.endDate;

/** Nobody teaches in a room of one city and of another on one day. */
const inTwoCities = (a: Busy, b: Busy) => a.venue !== null && b.venue !== null && a.venue !== b.venue && shareDay(a, b);

type Taught = Pick<Busy, 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'venue'>;

/**
 * Whether both are taught at one instant, so that nobody can attend all of both: 9:00 in Sydney is 8:00 in Brisbane
 * while Sydney has summer time.
 */
export function meet(a: Taught, b: Taught): boolean {
  // On one clock the same days and hours say it, which thousands of course dates of a month are asked for.
  if (zoneOfVenue(a.venue) === zoneOfVenue(b.venue)) {
    return shareDay(a, b) && a.startTime < b.endTime && b.startTime < a.endTime;
  }
  const [one, other] = [hoursOf(a), hoursOf(b)];
  return one.some(({ from, until }) => other.some((hours) => from < hours.until && hours.from < until));
}

type Hours = { from: number; until: number };
const known = new WeakMap<Taught, readonly Hours[]>();

/** The instants, in milliseconds, between which a course date is taught on each of its days. */
export function hoursOf(courseDate: Taught): readonly Hours[] {
  const hours = known.get(courseDate) ?? computeHours(courseDate);
  known.set(courseDate, hours);
  return hours;
}

function computeHours({ startDate, endDate, startTime, endTime, venue }: Taught): Hours[] {
  const zone = zoneOfVenue(venue) ?? academyZone;
  return daysFrom(startDate, endDate).map((day) => ({
    from: instantOf(day, startTime, zone).getTime(),
    until: instantOf(day, endTime, zone).getTime(),
  }));
}

/** Every day from the first to the last, both included. */
export function daysFrom(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
