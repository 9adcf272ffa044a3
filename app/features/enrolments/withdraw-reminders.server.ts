import type { Trx } from '#app/db/client.server.ts';
import { withdrawMail } from '#app/outbox/withdraw-mail.server.ts';
import type { Place } from './enrolment.ts';
import { firstDayOf } from './refundable.ts';

/** How many days before the first day a reminder of a place goes out (P31), the longest first. */
export const remindDaysBefore = [7, 1];

/**
 * Takes back reminders of places that were not delivered yet, because the mail server was away or refused them: the
 * places are cancelled, or their dates have changed. `places` are as the reminders knew them. One that tells the buyer of
 * several attendees goes as well, unless others of them still attend; with `whole` they are all concerned. The keys are those that `queuePlaceReminders`
 * makes in SQL. `at` is the true time.
 */
export async function withdrawReminders(
  trx: Trx,
  places: readonly Place[],
  { at, reason, whole = false }: { at: Date; reason: string; whole?: boolean },
): Promise<void> {
  const keys = new Set<string>();
  for (const place of places) {
    const first = firstDayOf(place);
    const told = first && (place.attendee.email === null ? await toldToBuyer(trx, place, whole) : place.id);
    if (told) for (const days of remindDaysBefore) keys.add(`place-reminder:${told}:${first}:${days}`);
  }
  for (const key of [...keys].sort()) await withdrawMail(trx, key, at, reason);
}

/** Which part of the key says what a buyer is reminded of; null while another attendee without an address attends that date. */
async function toldToBuyer(trx: Trx, { id, session, guidedFrom }: Place, whole: boolean): Promise<string | null> {
  const one = await trx
    .selectFrom('places')
    .select(['enrolment_id as enrolmentId', 'course_id as courseId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const other = await trx
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('places.id')
    .where('places.enrolment_id', '=', one.enrolmentId)
    .where('course_id', '=', one.courseId)
    .where('training_session_id', 'is not distinct from', session?.id ?? null)
    .where('guided_from', 'is not distinct from', guidedFrom)
    .where('places.state', '=', 'active')
    .where('email', 'is', null)
    .executeTakeFirst();
  return other && !whole ? null : `buyer:${one.enrolmentId}:${one.courseId}:${session?.id ?? 'guided'}`;
}
