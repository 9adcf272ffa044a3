import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';

/** Seats of a waiting list that are offered to somebody who has not bought them. */
export type OwnOffer = { holdId: number; courseDateId: number; seats: number };

/**
 * The open offers to an address of seats that are not bought yet, by course date. Who has a place on another date of
 * the course can move it there by them (P40, P48). Only the same spelling of the address counts: others may be somebody
 * else's.
 */
export async function readOwnOffers(db: Db, email: string): Promise<Map<number, OwnOffer>> {
  const offers = await db
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select(['hold_id as holdId', 'waiting_offers.course_date_id as courseDateId', 'seat_holds.seats'])
    .where('mailbox', '=', mailboxOf(email))
    .where('waiting_entries.email', '=', email)
    .where('waiting_entries.enrolment_id', 'is', null)
    .where('waiting_offers.ended_at', 'is', null)
    .where('seat_holds.ended_at', 'is', null)
    .orderBy('waiting_offers.id')
    .execute();
  return new Map(offers.map((offer) => [offer.courseDateId, offer]));
}
