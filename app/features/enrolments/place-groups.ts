import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Enrolment, Place } from './enrolment.ts';

/** One or several places of one enrolment that are taken in the same way. */
export type PlacesOfDate = readonly [Place, ...Place[]];

/** The places that are active now, together where course, date and way are the same. */
export const groupsOf = (places: readonly Place[]): PlacesOfDate[] =>
  groupByDate(places.filter(({ state }) => state === 'active'));

/** Places together where course, date and way are the same. */
export function groupByDate(places: readonly Place[]): PlacesOfDate[] {
  const groups = Map.groupBy(places, ({ courseId, way, courseDate, guidedFrom }) =>
    [courseId, way, courseDate?.id, guidedFrom].join(),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

/** Whether a place has a course date. */
export const hasDates = (place: Place): place is Place & { way: 'date' } => place.way === 'date';

/** Whether a place is attended by the buyer, as far as the addresses tell. */
export const isBuyers = ({ email }: Pick<Enrolment, 'email'>, { attendee }: Pick<Place, 'attendee'>) =>
  attendee.email !== null && mailboxOf(attendee.email) === mailboxOf(email);
