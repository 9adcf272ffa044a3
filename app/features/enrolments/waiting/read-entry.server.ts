import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { findTarget } from '#app/outbox/private-links.server.ts';
import type { WaitingEntry } from './rules.ts';

/** An entry with its open offer; null when there is none. */
export async function readEntry(db: Db, id: number): Promise<WaitingEntry | null> {
  const row = await db.selectFrom('waiting_entries').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const offer = await db
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'waiting_offers.hold_id')
    .select(['waiting_offers.id', 'waiting_offers.course_date_id as courseDateId', 'hold_id as holdId'])
    .select(['waiting_offers.seats', 'waiting_offers.made_at as madeAt', 'expires_at as until'])
    .where('entry_id', '=', id)
    .where('waiting_offers.ended_at', 'is', null)
    .executeTakeFirst();
  return {
    id: row.id,
    reference: row.reference,
    courseId: row.course_id,
    courseDateId: row.course_date_id,
    seats: row.seats,
    preferences: { weeks: row.weeks, venue: row.venue },
    name: row.name,
    email: row.email,
    enrolmentId: row.enrolment_id,
    joinedAt: row.joined_at,
    confirmed: row.confirmed_at !== null || row.enrolment_id !== null,
    pausedAt: row.paused_at,
    closedAt: row.closed_at,
    closedWhy: row.closed_why,
    offer: offer ?? null,
  };
}

/** For queries of `waiting_entries`: its address is confirmed, by the link that went there or by an enrolment (P48). */
export const isConfirmed = sql<boolean>`(confirmed_at is not null or waiting_entries.enrolment_id is not null)`;

/**
 * For queries of `course_dates`: seats that are wanted on its waiting list. Entries with an address that is not
 * confirmed compete for none, so they want none (P48).
 */
export const seatsWaiting = sql<number>`(select coalesce(sum(seats), 0) from waiting_entries
  where waiting_entries.course_date_id = course_dates.id and closed_at is null and ${isConfirmed})::integer`.as(
  'waiting',
);

/** For queries of `waiting_entries`: no offer of the entry is open. */
export const hasNoOffer = sql<boolean>`not exists (
  select from waiting_offers where entry_id = waiting_entries.id and ended_at is null)`;

/** The entry of a private link; null when there is none. */
export async function findWaitingEntry(db: Db, token: string): Promise<WaitingEntry | null> {
  const entryId = (await findTarget(db, token))?.waiting_entry_id;
  return entryId ? readEntry(db, entryId) : null;
}
