import { holdMs } from '#app/features/course-dates/draft-holds.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { offerMs } from './rules.ts';

/** The end of an offer whose message was taken: 72 hours later, but not beyond the end of enrolment (P48). */
export function offerEnd(mailedAt: Date, courseDate: Closing): Date {
  return new Date(Math.min(mailedAt.getTime() + offerMs, closes(courseDate)));
}

/**
 * Until when the seats of an accepted offer are kept (P48): to its end, and at least as long as anybody's are kept in the
 * steps, so that somebody who accepts in the last minute can still enrol. Not beyond the end of enrolment.
 */
export function acceptedEnd(until: Date, acceptedAt: Date, courseDate: Closing): Date {
  const steps = Math.min(acceptedAt.getTime() + holdMs, closes(courseDate));
  return new Date(Math.max(until.getTime(), steps));
}

type Closing = Pick<LockedCourseDate, 'enrolmentEndsOn' | 'startsOn'>;

const closes = ({ enrolmentEndsOn, startsOn }: Closing): number =>
  instantOf(addDays(enrolmentEndsOn < startsOn ? enrolmentEndsOn : startsOn, 1), '00:00', academyZone).getTime();
