import type { Transaction } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { seatsLeft } from './queries.server.ts';

/** Seats are written inside a transaction only: a database handle alone is refused by type. */
export type SeatTrx = Transaction<DB>;

/** A training session whose seats nobody else can take until the transaction ends. */
export type LockedSession = {
  id: number;
  slug: string;
  courseId: number;
  state: 'tentative' | 'confirmed' | 'cancelled';
  capacity: number;
  minimum: number;
  /** Seats neither sold, held nor offered. */
  left: number;
  startsOn: string;
  endsOn: string;
  zone: string;
  enrolmentEndsOn: string;
  decidedBy: string | null;
};

export type HoldPurpose = 'enrolment' | 'offer' | 'quote';
export type SessionFull = { ok: false; reason: 'session-full'; left: number };

/**
 * Locks training sessions in the order of their ids, so that two transactions never wait for each other, and gives back
 * the seats of their holds that have run out by `at`, a true time. To be called once in a transaction, before anything
 * else is written about seats, with every session whose seats it will touch. Retired ones are left out.
 */
export async function lockSessions(
  trx: SeatTrx,
  ids: readonly number[],
  at: Date,
): Promise<Map<number, LockedSession>> {
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
    .select(['enrolment_ends_on', 'decided_by', seatsLeft])
    .where('id', 'in', ids)
    .where('retired_at', 'is', null)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        slug: row.slug,
        courseId: row.course_id,
        // The column's check constraint allows no other.
        state: row.state as LockedSession['state'],
        capacity: row.capacity,
        minimum: row.minimum,
        left: row.left,
        startsOn: row.starts_on,
        endsOn: row.ends_on,
        zone: row.zone,
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
  at: Date;
  /** Null: until its purpose ends it. */
  expiresAt: Date | null;
};

/** Keeps seats of a locked session for a while (P27). */
export async function holdSeats(
  trx: SeatTrx,
  { session, seats, purpose, draftId, at, expiresAt }: Hold,
): Promise<{ ok: true; holdId: number } | SessionFull> {
  if (seats > session.left) return { ok: false, reason: 'session-full', left: session.left };
  const { id } = await trx
    .insertInto('seat_holds')
    .values({
      training_session_id: session.id,
      seats,
      purpose,
      draft_id: draftId ?? null,
      made_at: at,
      expires_at: expiresAt,
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
  trx: SeatTrx,
  session: LockedSession,
  holdId: number,
  how: 'sold' | 'released',
  at: Date,
): Promise<boolean> {
  const hold = await trx
    .updateTable('seat_holds')
    .set({ ended_at: at, ended: how })
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
  trx: SeatTrx,
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
  return { ok: true };
}

/** Gives back the seats of places of a locked session that were cancelled or moved away. */
export async function cancelSeats(
  trx: SeatTrx,
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
}

/**
 * Gives back the seats of every hold that has run out by `at`, each training session in a transaction of its own. Returns
 * how many training sessions had such holds.
 */
export async function releaseExpiredHolds(db: Db, at: Date): Promise<number> {
  const rows = await db
    .selectFrom('seat_holds')
    .select('training_session_id as id')
    .distinct()
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', at)
    .execute();
  for (const { id } of rows) await db.transaction().execute((trx) => lockSessions(trx, [id], at));
  return rows.length;
}

/** Of sessions that are locked: otherwise two transactions could wait for each other. */
async function expireHolds(trx: SeatTrx, at: Date, sessionIds: readonly number[]): Promise<void> {
  const over = await trx
    .updateTable('seat_holds')
    .set({ ended_at: at, ended: 'expired' })
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', at)
    .where('training_session_id', 'in', sessionIds)
    .returning(['id', 'training_session_id', 'seats'])
    .execute();
  if (over.length > 0) await giveBack(trx, over, at);
}

async function giveBack(
  trx: SeatTrx,
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
