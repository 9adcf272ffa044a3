import type { Trx } from '#app/db/client.server.ts';
import { withdrawMail } from '#app/outbox/withdraw-mail.server.ts';
import type { Place } from './enrolment.ts';
import { firstDayOf } from './may-change.ts';

/** How many days before the first day a reminder of a place goes out (P31), the longest first. */
export const remindDaysBefore = [7, 1];

/**
 * Withdraws undelivered reminders of places that were cancelled or whose dates changed. `places` are as the reminders
 * name them. A reminder to the buyer about several attendees is withdrawn too, unless one of them still attends;
 * `whole` says that the change concerns all of them. `queuePlaceReminders` makes the same keys in SQL.
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

/** The end of the key of a reminder to the buyer; null while another attendee without an address attends that date. */
async function toldToBuyer(trx: Trx, { id, courseDate, guidedFrom }: Place, whole: boolean): Promise<string | null> {
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
    .where('course_date_id', 'is not distinct from', courseDate?.id ?? null)
    .where('guided_from', 'is not distinct from', guidedFrom)
    .where('places.state', '=', 'active')
    .where('email', 'is', null)
    .executeTakeFirst();
  return other && !whole ? null : `buyer:${one.enrolmentId}:${one.courseId}:${courseDate?.id ?? 'guided'}`;
}
