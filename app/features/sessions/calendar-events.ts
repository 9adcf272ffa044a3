import { type CalendarEvent, calendarUid } from '#app/documents/calendar.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { CalendarRecord, TrainingSession } from './session.ts';

/** From a time that is before every recorded one, and higher than every SEQUENCE that was sent without one. */
const sequenceFrom = { instant: new Date('2025-01-01T00:00:00Z'), sequence: 1_000_000 };

/**
 * A session with its days in UTC, for calendar files. The UID does not hold the slug, so a new one keeps it (P15). Its
 * SEQUENCE and DTSTAMP rise when the session or its course changed, and are the same at every fetch in between.
 */
export function sessionEvent(
  session: TrainingSession,
  { record, courseChangedAt, baseUrl }: { record: CalendarRecord; courseChangedAt: Date | null; baseUrl: string },
): CalendarEvent {
  const changedMs = Math.max(...[record.changedAt, courseChangedAt, sequenceFrom.instant].map((one) => +(one ?? 0)));
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return {
    uid: calendarUid('session', record),
    sequence: sequenceFrom.sequence + Math.ceil((changedMs - sequenceFrom.instant.getTime()) / 1000),
    stamp: new Date(changedMs),
    summary: session.course.title,
    status: statuses[session.state],
    description: `${deliveryText(session)}, with ${session.instructor}.`,
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
