import type { Trx } from '#app/db/client.server.ts';
import { Busy } from '#app/db/connection-failure.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { lockList } from './entries.server.ts';
import { queueOffer } from './mails.server.ts';
import { readEntry } from './read-entry.server.ts';

/** The course dates in which seats are offered to the places of an enrolment. */
export async function offeredCourseDates(trx: Trx, enrolmentId: number): Promise<number[]> {
  const offers = await trx
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .select('waiting_offers.course_date_id as id')
    .where('enrolment_id', '=', enrolmentId)
    .where('ended_at', 'is', null)
    .execute();
  return offers.map(({ id }) => id);
}

/**
 * Takes the entries of places that wait for a date along when their buyer has another address: they keep their turn,
 * their links end, and an open offer is mailed to the new address, from where its time runs anew. Accepting it binds, so
 * nobody at the former address may. The caller has locked the enrolment and, before it, `course dates`, as `offeredCourseDates`
 * read them. Throws Busy when seats in another one were offered meanwhile.
 */
export async function followBuyer(
  trx: Trx,
  { enrolmentId, email, courseDates }: { enrolmentId: number; email: string; courseDates: readonly number[] },
  moment: Moment,
): Promise<void> {
  const entries = await trx
    .selectFrom('waiting_entries')
    .select(['id', 'course_id'])
    .where('enrolment_id', '=', enrolmentId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();
  const locked = await lockCourseDates(trx, [...courseDates], moment.now);
  for (const { id, course_id } of entries) {
    await lockList(trx, course_id);
    await trx
      .updateTable('waiting_entries')
      .set({ email, mailbox: mailboxOf(email) })
      .where('id', '=', id)
      .execute();
    await trx.deleteFrom('private_links').where('waiting_entry_id', '=', id).execute();
    const entry = await readEntry(trx, id);
    const offer = entry?.offer;
    if (!offer) continue;
    if (!courseDates.includes(offer.courseDateId)) throw new Busy('seats were offered while the address was changed');
    const courseDate = locked.get(offer.courseDateId);
    // A retired one takes nobody; its offer ends.
    if (!courseDate) continue;
    const mailId = await queueOffer(trx, { entry, offerId: offer.id, courseDate, seats: offer.seats }, moment);
    await trx
      .updateTable('waiting_offers')
      .set({ mail_id: mailId, mailed_at: null })
      .where('id', '=', offer.id)
      .execute();
    await trx.updateTable('seat_holds').set({ expires_at: null }).where('id', '=', offer.holdId).execute();
  }
}
