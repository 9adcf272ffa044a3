import { type CalendarEvent, calendarUid } from '#app/documents/calendar.ts';
import { calendarLinks } from '#app/lib/calendar-links.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { CalendarRecord, CourseDate } from './course-date.ts';

/** Before the first course was written. */
const firstChange = new Date('2025-01-01T00:00:00Z');

/**
 * A course date with its days in UTC, for calendar files. The UID does not hold the slug, so a new one keeps it (P15). Its
 * SEQUENCE and DTSTAMP rise when the course date or its course changed, and are the same at every fetch in between.
 */
export function courseDateEvent(
  courseDate: CourseDate,
  { record, courseChangedAt, baseUrl }: { record: CalendarRecord; courseChangedAt: Date | null; baseUrl: string },
): CalendarEvent {
  const courseMs = Math.max(firstChange.getTime(), courseChangedAt?.getTime() ?? 0);
  const changedMs = Math.max(courseMs, record.changedAt.getTime());
  return {
    uid: calendarUid('course-date', record.calendarId),
    // A course does not count its changes: in seconds they fit until 2093.
    sequence: record.revision + Math.ceil((courseMs - firstChange.getTime()) / 1000),
    stamp: new Date(changedMs),
    summary: courseDate.course.title,
    status: statuses[courseDate.state],
    description: `${deliveryText(courseDate)}, with ${courseDate.instructor}. Declining or deleting this entry does not cancel a place.`,
    location: placeOf(courseDate),
    url: `${baseUrl}/training-calendar/${courseDate.slug}`,
    days: daysOf(courseDate),
  };
}

/** The same as links to calendars on the web. */
export const courseDateLinks = (courseDate: CourseDate) =>
  calendarLinks({ title: courseDate.course.title, where: placeOf(courseDate), days: daysOf(courseDate) });

const daysOf = ({ startDate, endDate, startTime, endTime, zone }: CourseDate) =>
  Array.from({ length: daysBetween(startDate, endDate) + 1 }, (_, index) => {
    const day = addDays(startDate, index);
    return { start: instantOf(day, startTime, zone), end: instantOf(day, endTime, zone) };
  });

const statuses = { tentative: 'TENTATIVE', confirmed: 'CONFIRMED', cancelled: 'CANCELLED' } as const;

function placeOf({ delivery, venue }: CourseDate): string {
  if (venue === null) return 'Online';
  return delivery === 'both' ? `Online or ${venue}` : venue;
}
