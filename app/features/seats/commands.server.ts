import type { Db, Trx } from '#app/db/client.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import type { SessionState } from '#app/lib/session-state.ts';
import { seatsLeft, seatsReserved, seatsSold } from './queries.server.ts';

/** A training session whose seats nobody else can take until the transaction ends. */
export type LockedSession = {
  id: number;
  slug: string;
  courseId: number;
  state: SessionState;
  capacity: number;
  minimum: number;
  /** Seats that anybody may take: neither sold, held, offered nor reserved. */
  left: number;
  /** Free seats kept for the next entries on a waiting list, to be offered to them (P48). */
  reserved: number;
  /** Seats sold, that is the places on it. */
  sold: number;
  startsOn: string;
  endsOn: string;
  startsAt: string;
  endsAt: string;
  zone: string;
  delivery: Delivery;
  venue: string | null;
  enrolmentEndsOn: string;
  decidedBy: string | null;
};

type HoldPurpose = 'enrolment' | 'offer' | 'quote';
export type SessionFull = { ok: false; reason: 'session-full'; left: number };

/**
 * Locks training sessions in the order of their ids, so that two transactions never wait for each other, and gives back
 * the seats of their holds that have run out by `at`. To be called once in a transaction, before anything
 * else is written about seats, with every session whose seats it will touch. Retired ones are left out. The transaction
 * has to be read committed, as it is by default: an older view of the movements would miss what was sold meanwhile.
 */
export async function lockSessions(trx: Trx, ids: readonly number[], at: Date): Promise<Map<number, LockedSession>> {
  if (ids.length === 0) return new Map();
  await trx
    .selectFrom('training_sessions')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await expireHolds(trx, at, ids);
  const rows = await trx
    .selectFrom('training_sessions')
    .select(['id', 'slug', 'course_id', 'state', 'capacity', 'minimum', 'starts_on', 'ends_on', 'zone'])
    .select(['starts_at', 'ends_at', 'delivery', 'venue'])
    .select(['enrolment_ends_on', 'decided_by', seatsLeft, seatsReserved, seatsSold])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        slug: row.slug,
        courseId: row.course_id,
        state: row.state,
        capacity: row.capacity,
        minimum: row.minimum,
        left: row.left,
        reserved: row.reserved,
        sold: row.sold,
        startsOn: row.starts_on,
        endsOn: row.ends_on,
        startsAt: row.starts_at.slice(0, 5),
        endsAt: row.ends_at.slice(0, 5),
        zone: row.zone,
        delivery: row.delivery,
        venue: row.venue,
        enrolmentEndsOn: row.enrolment_ends_on,
        decidedBy: row.decided_by,
      },
    ]),
  );
}

type Hold = {
  session: LockedSession;
  seats: number;
  purpose: HoldPurpose;
  draftId?: number;
  /** A keyed hash of the visitor's network, by which the holds of one visitor are counted. */
  visitor?: string;
  at: Date;
  /** Null: until its purpose ends it. */
  expiresAt: Date | null;
  /** How often its time was extended before, when it takes the place of another hold. */
  extended?: number;
};

/** Keeps seats of a locked session for a while (P27). Whether it still takes enrolments is the caller's to ask. */
export async function holdSeats(
  trx: Trx,
  { session, seats, purpose, draftId, visitor, at, expiresAt, extended = 0 }: Hold,
): Promise<{ ok: true; holdId: number } | SessionFull> {
  if (seats > session.left) return { ok: false, reason: 'session-full', left: session.left };
  const { id } = await trx
    .insertInto('seat_holds')
    .values({
      training_session_id: session.id,
      seats,
      purpose,
      draft_id: draftId ?? null,
      visitor: visitor ?? null,
      network: visitor ?? null,
      made_at: at,
      expires_at: expiresAt,
      extended,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('seat_movements')
    .values({ training_session_id: session.id, kind: 'hold', seats, hold_id: id, at })
    .execute();
  session.left -= seats;
  return { ok: true, holdId: id };
}

/**
 * Ends a hold of a locked session and gives its seats back; when it was sold, sell them in the same transaction. False
 * when it had ended before, for example because it ran out.
 */
export async function endHold(
  trx: Trx,
  session: Pick<LockedSession, 'id' | 'left'>,
  holdId: number,
  how: 'sold' | 'released',
  at: Date,
): Promise<boolean> {
  const hold = await trx
    .updateTable('seat_holds')
    .set({ ended_at: at, ended: how, visitor: null })
    .where('id', '=', holdId)
    .where('training_session_id', '=', session.id)
    .where('ended_at', 'is', null)
    .returning('seats')
    .executeTakeFirst();
  if (!hold) return false;
  await giveBack(trx, [{ id: holdId, training_session_id: session.id, seats: hold.seats }], at);
  session.left += hold.seats;
  return true;
}

/** Sells one seat of a locked session to each of the places (P27). End the buyer's hold before. */
export async function sellSeats(
  trx: Trx,
  session: LockedSession,
  placeIds: readonly number[],
  at: Date,
): Promise<{ ok: true } | SessionFull> {
  if (placeIds.length > session.left) return { ok: false, reason: 'session-full', left: session.left };
  if (placeIds.length > 0) {
    await trx
      .insertInto('seat_movements')
      .values(placeIds.map((id) => ({ training_session_id: session.id, kind: 'sale', seats: 1, place_id: id, at })))
      .execute();
  }
  session.left -= placeIds.length;
  session.sold += placeIds.length;
  return { ok: true };
}

/** Gives back the seats of places of a locked session that were cancelled or moved away. */
export async function cancelSeats(
  trx: Trx,
  session: LockedSession,
  placeIds: readonly number[],
  at: Date,
): Promise<void> {
  if (placeIds.length === 0) return;
  await trx
    .insertInto('seat_movements')
    .values(
      placeIds.map((id) => ({ training_session_id: session.id, kind: 'cancellation', seats: -1, place_id: id, at })),
    )
    .execute();
  session.left += placeIds.length;
  session.sold -= placeIds.length;
}

/**
 * Gives back the seats of every hold that has run out by `at`, each training session in a transaction of its own. What
 * another transaction has locked is left to it, or to the next call. Returns how many training sessions it dealt with.
 */
export async function releaseExpiredHolds(db: Db, at: Date): Promise<number> {
  const items = await db
    .selectFrom('seat_holds')
    .select('training_session_id as id')
    .distinct()
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', at)
    .execute();
  const keyOf = ({ id }: { id: number }) => `session:${id}`;
  return eachItem(db, { job: 'give back seats', items, keyOf, at }, async (trx, { id }) => {
    const free = await trx
      .selectFrom('training_sessions')
      .select('id')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    return free !== undefined && (await expireHolds(trx, at, [id])) > 0;
  });
}

/** The sessions have to be locked: otherwise two transactions could wait for each other. */
async function expireHolds(trx: Trx, at: Date, sessionIds: readonly number[]): Promise<number> {
  const expired = await trx
    .updateTable('seat_holds')
    .set({ ended_at: at, ended: 'expired', visitor: null })
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', at)
    .where('training_session_id', 'in', sessionIds)
    .returning(['id', 'training_session_id', 'seats'])
    .execute();
  if (expired.length > 0) await giveBack(trx, expired, at);
  return expired.length;
}

async function giveBack(
  trx: Trx,
  holds: readonly { id: number; training_session_id: number; seats: number }[],
  at: Date,
): Promise<void> {
  await trx
    .insertInto('seat_movements')
    .values(
      holds.map(({ id, training_session_id, seats }) => ({
        training_session_id,
        kind: 'release',
        seats: -seats,
        hold_id: id,
        at,
      })),
    )
    .execute();
}
