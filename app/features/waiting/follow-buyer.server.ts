import type { Trx } from '#app/db/client.server.ts';
import { lockSessions } from '#app/features/seats/commands.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { lockList } from './entries.server.ts';
import { queueOffer } from './mails.server.ts';
import { readEntry } from './read-entry.server.ts';

/**
 * Takes the entries of places that wait for a date along when their buyer has another address: they keep their turn,
 * their links end, and an open offer is mailed to the new address, from where its time runs anew. Accepting it binds, so
 * nobody at the former address may. The caller has locked the enrolment.
 */
export async function followBuyer(
  trx: Trx,
  { enrolmentId, email }: { enrolmentId: number; email: string },
  moment: Moment,
): Promise<void> {
  const entries = await trx
    .selectFrom('waiting_entries')
    .select(['id', 'course_id'])
    .where('enrolment_id', '=', enrolmentId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id, course_id } of entries) {
    const offered = (await readEntry(trx, id))?.offer?.sessionId;
    const sessions = await lockSessions(trx, offered === undefined ? [] : [offered], moment.now);
    await lockList(trx, course_id);
    await trx
      .updateTable('waiting_entries')
      .set({ email, mailbox: mailboxOf(email) })
      .where('id', '=', id)
      .execute();
    await trx.deleteFrom('private_links').where('waiting_entry_id', '=', id).execute();
    const entry = await readEntry(trx, id);
    const offer = entry?.offer;
    const session = offer && sessions.get(offer.sessionId);
    if (!offer || !session) continue;
    const mailId = await queueOffer(trx, { entry, offerId: offer.id, session, seats: offer.seats }, moment);
    await trx
      .updateTable('waiting_offers')
      .set({ mail_id: mailId, mailed_at: null })
      .where('id', '=', offer.id)
      .execute();
    await trx.updateTable('seat_holds').set({ expires_at: null }).where('id', '=', offer.holdId).execute();
  }
}
