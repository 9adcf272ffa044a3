import { type CalendarEvent, calendarUid } from '#app/documents/calendar.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { CalendarRecord, TrainingSession } from './session.ts';

/** Before the first course was written. */
const firstChange = new Date('2025-01-01T00:00:00Z');

/**
 * A session with its days in UTC, for calendar files. The UID does not hold the slug, so a new one keeps it (P15). Its
 * SEQUENCE and DTSTAMP rise when the session or its course changed, and are the same at every fetch in between.
 */
export function sessionEvent(
  session: TrainingSession,
  { record, courseChangedAt, baseUrl }: { record: CalendarRecord; courseChangedAt: Date | null; baseUrl: string },
): CalendarEvent {
  const courseMs = Math.max(firstChange.getTime(), courseChangedAt?.getTime() ?? 0);
  const changedMs = Math.max(courseMs, record.changedAt.getTime());
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return {
    uid: calendarUid('session', record.calendarId),
    // A course does not count its changes: in seconds they fit until 2093.
    sequence: record.revision + Math.ceil((courseMs - firstChange.getTime()) / 1000),
    stamp: new Date(changedMs),
    summary: session.course.title,
    status: statuses[session.state],
    description: `${deliveryText(session)}, with ${session.instructor}. Declining or deleting this entry does not cancel a place.`,
    location: placeOf(session),
    url: `${baseUrl}/training-calendar/${session.slug}`,
    days: Array.from({ length: count }, (_, index) => {
      const day = addDays(session.startDate, index);
      return {
        start: instantOf(day, session.startTime, session.zone),
        end: instantOf(day, session.endTime, session.zone),
      };
    }),
  };
}

const statuses = { tentative: 'TENTATIVE', confirmed: 'CONFIRMED', cancelled: 'CANCELLED' } as const;

function placeOf({ delivery, venue }: TrainingSession): string {
  if (venue === null) return 'Online';
  return delivery === 'both' ? `Online or ${venue}` : venue;
}
