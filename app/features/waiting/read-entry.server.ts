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
    .select(['waiting_offers.id', 'waiting_offers.training_session_id as sessionId', 'hold_id as holdId'])
    .select(['waiting_offers.seats', 'waiting_offers.made_at as madeAt', 'expires_at as until'])
    .where('entry_id', '=', id)
    .where('waiting_offers.ended_at', 'is', null)
    .executeTakeFirst();
  return {
    id: row.id,
    reference: row.reference,
    courseId: row.course_id,
    sessionId: row.training_session_id,
    seats: row.seats,
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

/** For queries of `waiting_entries`: no offer of the entry is open. */
export const hasNoOffer = sql<boolean>`not exists (
  select from waiting_offers where entry_id = waiting_entries.id and ended_at is null)`;

/** The entry of a private link; null when there is none. */
export async function findWaitingEntry(db: Db, token: string): Promise<WaitingEntry | null> {
  const entryId = (await findTarget(db, token))?.waiting_entry_id;
  return entryId ? readEntry(db, entryId) : null;
}
