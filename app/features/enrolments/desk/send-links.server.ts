import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import { queuePlaceGiven } from '#app/features/enrolments/mails.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { SeatTrx } from '#app/features/sessions/seats.server.ts';

/** Sends everybody of an enrolment who has a place, and its buyer, a mail with a fresh private link. Returns how many. */
export async function sendLinks(trx: SeatTrx, enrolmentId: number, circumstances: Circumstances): Promise<number> {
  const enrolment = await readEnrolment(trx, enrolmentId);
  const active = enrolment.places.filter(({ state, attendee }) => state === 'active' && attendee.email !== null);
  for (const place of active) await queuePlaceGiven(trx, enrolment, place, circumstances);
  return active.length;
}
