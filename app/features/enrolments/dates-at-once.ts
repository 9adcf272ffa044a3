import { meet } from '#app/features/sessions/clashes.ts';
import type { Place, PlaceSession } from './enrolment.ts';

type Taught = Parameters<typeof meet>[0];

const timesOf = ({ startsOn, endsOn, startsAt, endsAt, venue }: PlaceSession): Taught => ({
  startDate: startsOn,
  endDate: endsOn,
  startTime: startsAt,
  endTime: endsAt,
  venue,
});

/**
 * The course that the attendee of a place takes in the same enrolment while another date would be taught (P38); null for
 * none. Its buyer is told and not refused: they may mean to cancel that one.
 */
export function courseAtOnce(places: readonly Place[], place: Place, date: Taught): string | null {
  const others = places.filter(
    ({ id, state, attendee }) => id !== place.id && state === 'active' && attendee.id === place.attendee.id,
  );
  return others.find(({ session }) => session && meet(timesOf(session), date))?.courseTitle ?? null;
}

/** Whether two of these dates are taught at one time: nobody is sold both (P38). */
export function areAtOnce(sessions: readonly PlaceSession[]): boolean {
  const times = sessions.map(timesOf);
  return times.some((one, at) => times.slice(at + 1).some((other) => meet(one, other)));
}
