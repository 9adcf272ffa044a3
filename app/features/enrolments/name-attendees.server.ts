import type { Trx } from '#app/db/client.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type AttendeeChange, changeAttendee } from './change-attendee.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { readEnrolment } from './queries.server.ts';

type Names = Pick<AttendeeChange, 'enrolmentId' | 'actor'> & {
  wishes: readonly Pick<AttendeeChange, 'attendeeId' | 'attendee'>[];
};

/** Names several attendees, and tells the buyer once. The first that cannot be named refuses all: the caller undoes. */
export async function nameAttendees(trx: Trx, { wishes, ...of }: Names, moment: Moment) {
  const named = new Set<number>();
  for (const wish of wishes) {
    const result = await changeAttendee(trx, { ...of, ...wish, tellBuyer: false }, moment);
    if (!result.ok) return result;
    if (result.changed && wish.attendee.name !== null) named.add(wish.attendeeId);
  }
  const enrolment = await readEnrolment(trx, of.enrolmentId);
  const [first, ...others] = enrolment.places.filter(
    ({ state, attendee }) => state === 'active' && named.has(attendee.id),
  );
  if (first) {
    const event = { change: 'attendee-named', places: [first, ...others], buyerOnly: true } as const;
    await queuePlaceMails(trx, enrolment, event, moment);
  }
  return { ok: true as const };
}
