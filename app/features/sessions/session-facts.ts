import { href } from 'react-router';
import { daysBetween } from '#app/lib/dates.ts';
import { timeWithOffset } from '#app/lib/wall-clock.ts';
import type { SessionFacts } from '#app/seo/structured-data.ts';
import type { TrainingSession } from './session.ts';

/** A session as its structured data has it. */
export function sessionFacts(session: TrainingSession): SessionFacts {
  const { slug, startDate, endDate, startTime, endTime, zone, delivery, venue, instructor, seatsAvailable } = session;
  return {
    path: href('/training-calendar/:sessionId', { sessionId: slug }),
    enrolPath: `${href('/enrol')}?session=${slug}`,
    startsAt: timeWithOffset(startDate, startTime, zone),
    endsAt: timeWithOffset(endDate, endTime, zone),
    days: daysBetween(startDate, endDate) + 1,
    startTime,
    endTime,
    zone,
    delivery,
    venue,
    instructor,
    seatsAvailable,
  };
}
