import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { unbookable } from '#app/features/enrolments/placeable.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { holdSeats, type LockedSession } from '#app/features/seats/commands.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { record } from './commands.server.ts';
import { lockEntry, lockList, type NoEntry } from './entries.server.ts';
import { queueOffer } from './mails.server.ts';
import { readEntry } from './read-entry.server.ts';
import type { WaitingEntry } from './rules.ts';

/**
 * Offers free seats of a locked session to the entry that is next (P48); nobody else could take them meanwhile. False
 * when the entry is no longer next. The caller checks that the session still takes enrolments.
 */
export async function offerInTurn(trx: Trx, session: LockedSession, entryId: number, moment: Moment): Promise<boolean> {
  await lockList(trx, session.courseId);
  const { rows } = await sql`select from waiting_turns(${session.id}) where entry_id = ${entryId}`.execute(trx);
  if (rows.length === 0) return false;
  const entry = await readEntry(trx, entryId);
  if (!entry || !(await offerTo(trx, { entry, session, seats: entry.seats }, moment))) {
    throw new Error(`entry ${entryId} had its turn in locked session ${session.id}, but could not be offered seats`);
  }
  return true;
}

/** Staff offer by hand and give a reason. Staff see the reason; it is erased with the entry. */
type ByHand = { actor: Actor; reason: string };

async function offerTo(
  trx: Trx,
  { entry, session, seats, by }: { entry: WaitingEntry; session: LockedSession; seats: number; by?: ByHand },
  moment: Moment,
): Promise<boolean> {
  const { now } = moment;
  // The seats reserved for the next entry are the seats this entry is offered.
  const free = session.left + session.reserved;
  const held = await holdSeats(trx, {
    session: Object.assign(session, { left: free, reserved: 0 }),
    seats,
    purpose: 'offer',
    at: now,
    expiresAt: null,
  });
  if (!held.ok) return false;
  const { id } = await trx
    .insertInto('waiting_offers')
    .values({
      entry_id: entry.id,
      training_session_id: session.id,
      hold_id: held.holdId,
      seats,
      made_at: now,
      made_by: by ? personIdOf(by.actor) : null,
      reason: by?.reason ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const mailId = await queueOffer(trx, { entry, offerId: id, session, seats }, moment);
  await trx.updateTable('waiting_offers').set({ mail_id: mailId }).where('id', '=', id).execute();
  return true;
}

export type NotOffered =
  | NoEntry
  | Meanwhile
  | { ok: false; reason: 'closed' | 'offered' | 'session-closed' | 'session-cancelled' }
  | { ok: false; reason: 'session-full'; free: number };

/**
 * Staff offer seats to an entry out of turn (P48): of any session of its course, up to all free seats, including seats
 * reserved for other entries.
 */
export async function offerByHand(
  trx: Trx,
  { entryId, sessionId, seats, by }: { entryId: number; sessionId: number; seats: number; by: ByHand },
  moment: Moment,
): Promise<{ ok: true } | NotOffered> {
  requirePermission(by.actor, 'waiting:change');
  const { now, today } = moment;
  const locked = await lockEntry(trx, entryId, now, [sessionId]);
  if (!locked.ok) return locked;
  const { entry, sessions } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  if (entry.offer) return { ok: false, reason: 'offered' };
  const session = sessions.get(sessionId);
  const refused = unbookable(session, { courseId: entry.courseId, today });
  if (refused || !session) return { ok: false, reason: refused ?? 'session-closed' };
  const free = session.left + session.reserved;
  // There are no more places that could get the date.
  const wanted = entry.enrolmentId === null ? seats : Math.min(seats, entry.seats);
  if (!(await offerTo(trx, { entry, session, seats: wanted, by }, moment))) {
    return { ok: false, reason: 'session-full', free };
  }
  await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
  await record(trx, { actor: by.actor, at: now, action: 'offer-seats', reference: entry.reference });
  return { ok: true };
}
