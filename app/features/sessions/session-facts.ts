import { href } from 'react-router';
import { daysBetween } from '#app/lib/dates.ts';
import { timeWithOffset } from '#app/lib/wall-clock.ts';
import type { SessionFacts } from '#app/seo/structured-courses.ts';
import type { SessionView } from './session-view.ts';

/** A session as its structured data has it; `onSaleSince` is an instant, where it is known. */
export function sessionFacts(session: SessionView, onSaleSince: string | null = null): SessionFacts {
  const { slug, startDate, endDate, startTime, endTime, zone, delivery, venue, instructor } = session;
  const { seatsAvailable, standing, enrolmentEnds } = session;
  const path = href('/training-calendar/:sessionId', { sessionId: slug });
  const enrols = standing === 'open' || standing === 'full';
  return {
    path,
    enrolPath: enrols ? `${href('/enrol')}?session=${slug}` : path,
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
    standing,
    enrolmentEnds,
    onSaleSince,
  };
}
