import { addDays, daysBetween } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { TrainingSession } from './session.ts';

/** A session with its days in UTC, for calendar files. The UID holds the row's id, so a new slug keeps it (P15). */
export function sessionEvent(
  session: TrainingSession,
  at: { baseUrl: string; versions: { catalogue: number; courses: number } },
) {
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return {
    uid: `session-${session.id}@bowerbird-academy`,
    // These rise with every change to the session or its course.
    sequence: at.versions.catalogue + at.versions.courses,
    summary: session.course.title,
    status: statuses[session.state],
    description: `${deliveryText(session)}, with ${session.instructor}.`,
    location: placeOf(session),
    url: `${at.baseUrl}/training-calendar/${session.slug}`,
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
