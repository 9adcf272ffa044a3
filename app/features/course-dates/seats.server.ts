import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import type { KeptSeats } from './kept-seats.ts';

/** A course date whose seats nobody else can take until the transaction ends. */
export type LockedCourseDate = {
  id: number;
  slug: string;
  courseId: number;
  /** For which organisation only it is held (P114); null for everybody. */
  organisationId: number | null;
  state: CourseDateState;
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

type HoldPurpose = 'enrolment' | 'waiting-offer' | 'quote';
export type CourseDateFull = { ok: false; reason: 'course-date-full'; left: number };

/**
 * Locks course dates in the order of their ids, so that two transactions never wait for each other, and gives back the
 * seats of holds that have expired by `at`. Call it once in a transaction, before anything else is written about seats,
 * with every course date whose seats it will change. Retired course dates are left out. The transaction has to be read
 * committed, as it is by default: an older snapshot of the movements would miss sales since.
 */
export async function lockCourseDates(
  trx: Trx,
  ids: readonly number[],
  at: Date,
): Promise<Map<number, LockedCourseDate>> {
  if (ids.length === 0) return new Map();
  await trx.selectFrom('course_dates').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
  await expireHolds(trx, at, ids);
  const rows = await trx
    .selectFrom('course_dates')
    .select(['id', 'slug', 'course_id', 'state', 'capacity', 'minimum', 'starts_on', 'ends_on', 'zone'])
    .select(['starts_at', 'ends_at', 'delivery', 'venue', 'organisation_id'])
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
        organisationId: row.organisation_id,
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
  courseDate: LockedCourseDate;
  seats: number;
  purpose: HoldPurpose;
  /** For whom staff hold seats, in their words. */
  label?: string;
  draftId?: number;
  /** A keyed hash of the visitor's network, by which the holds of one visitor are counted. */
  visitor?: string;
  at: Date;
  /** Null: until its purpose ends it. */
  expiresAt: Date | null;
  /** How often its time was extended before, when it takes the place of another hold. */
  extended?: number;
};

/** Keeps seats of a locked course date for a while (P27). Whether it still takes enrolments is the caller's to ask. */
export async function holdSeats(
  trx: Trx,
  { courseDate, seats, purpose, label, draftId, visitor, at, expiresAt, extended = 0 }: Hold,
): Promise<{ ok: true; holdId: number } | CourseDateFull> {
  if (seats > courseDate.left) return { ok: false, reason: 'course-date-full', left: courseDate.left };
  const { id } = await trx
    .insertInto('seat_holds')
    .values({
      course_date_id: courseDate.id,
      seats,
      purpose,
      label: label ?? null,
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
    .values({ course_date_id: courseDate.id, kind: 'hold', seats, hold_id: id, at })
    .execute();
  courseDate.left -= seats;
  return { ok: true, holdId: id };
}

/**
 * Ends a hold of a locked course date and gives its seats back; when it was sold, sell them in the same transaction. False
 * when it had ended before, for example because it ran out.
 */
export async function endHold(
  trx: Trx,
  courseDate: Pick<LockedCourseDate, 'id' | 'left'>,
  holdId: number,
  how: 'sold' | 'released',
  at: Date,
): Promise<boolean> {
  const hold = await trx
    .updateTable('seat_holds')
    .set({ ended_at: at, ended: how, visitor: null })
    .where('id', '=', holdId)
    .where('course_date_id', '=', courseDate.id)
    .where('ended_at', 'is', null)
    .returning('seats')
    .executeTakeFirst();
  if (!hold) return false;
  await giveBack(trx, [{ id: holdId, course_date_id: courseDate.id, seats: hold.seats }], at);
  courseDate.left += hold.seats;
  return true;
}

/** Sells one seat of a locked course date to each of the places (P27). End the buyer's hold before. */
export async function sellSeats(
  trx: Trx,
  courseDate: LockedCourseDate,
  placeIds: readonly number[],
  at: Date,
): Promise<{ ok: true } | CourseDateFull> {
  if (placeIds.length > courseDate.left) return { ok: false, reason: 'course-date-full', left: courseDate.left };
  if (placeIds.length > 0) {
    await trx
      .insertInto('seat_movements')
      .values(placeIds.map((id) => ({ course_date_id: courseDate.id, kind: 'sale', seats: 1, place_id: id, at })))
      .execute();
  }
  courseDate.left -= placeIds.length;
  courseDate.sold += placeIds.length;
  return { ok: true };
}

/** Gives back the seats of places of a locked course date that were cancelled or moved away. */
export async function cancelSeats(
  trx: Trx,
  courseDate: LockedCourseDate,
  placeIds: readonly number[],
  at: Date,
): Promise<void> {
  if (placeIds.length === 0) return;
  await trx
    .insertInto('seat_movements')
    .values(
      placeIds.map((id) => ({ course_date_id: courseDate.id, kind: 'cancellation', seats: -1, place_id: id, at })),
    )
    .execute();
  courseDate.left += placeIds.length;
  courseDate.sold -= placeIds.length;
}

/**
 * Gives back the seats of every hold that has run out by `at`, each course date in a transaction of its own. What
 * another transaction has locked is left to it, or to the next call. Returns how many course dates it dealt with.
 */
export async function releaseExpiredHolds(db: Db, at: Date): Promise<number> {
  const items = await db
    .selectFrom('seat_holds')
    .select('course_date_id as id')
    .distinct()
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', at)
    .execute();
  const keyOf = ({ id }: { id: number }) => `course-date:${id}`;
  return eachItem(db, { job: 'give back seats', items, keyOf, at }, async (trx, { id }) => {
    const free = await trx
      .selectFrom('course_dates')
      .select('id')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    return free !== undefined && (await expireHolds(trx, at, [id])) > 0;
  });
}

/** The course dates have to be locked: otherwise two transactions could wait for each other. */
async function expireHolds(trx: Trx, at: Date, courseDateIds: readonly number[]): Promise<number> {
  const expired = await trx
    .updateTable('seat_holds')
    .set({ ended_at: at, ended: 'expired', visitor: null })
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', at)
    .where('course_date_id', 'in', courseDateIds)
    .returning(['id', 'course_date_id', 'seats'])
    .execute();
  if (expired.length > 0) await giveBack(trx, expired, at);
  return expired.length;
}

async function giveBack(
  trx: Trx,
  holds: readonly { id: number; course_date_id: number; seats: number }[],
  at: Date,
): Promise<void> {
  await trx
    .insertInto('seat_movements')
    .values(
      holds.map(({ id, course_date_id, seats }) => ({
        course_date_id,
        kind: 'release',
        seats: -seats,
        hold_id: id,
        at,
      })),
    )
    .execute();
}

/** The seats that are kept now, by the id of the course date; only where there are any. Of all when `ids` is left out. */
export async function readKeptSeats(trx: Db, ids?: readonly number[]): Promise<Map<number, KeptSeats>> {
  const sum = (purpose: string) => sql<number>`(coalesce(sum(seats) filter (where purpose = ${purpose}), 0))::integer`;
  const rows = await trx
    .selectFrom('seat_holds')
    .select('course_date_id as id')
    .select([
      sum('enrolment').as('held'),
      sql<Date | null>`max(expires_at) filter (where purpose = 'enrolment')`.as('heldUntil'),
      sum('waiting-offer').as('offered'),
      sum('quote').as('quoted'),
    ])
    .where('ended_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('course_date_id', 'in', [0, ...(ids ?? [])]))
    .groupBy('course_date_id')
    .execute();
  return new Map(rows.map(({ id, ...kept }) => [id, kept]));
}

/** Free seats reserved for the next entries on a waiting list; computed only if somebody waits for the course. */
const reserved = sql`case when exists (select from waiting_entries
    where waiting_entries.course_id = course_dates.course_id and closed_at is null)
  then seats_reserved(course_dates.id) else 0 end`;

/**
 * For queries of `course_dates`: seats that anybody may take. That is the capacity less seats sold, held, offered and
 * reserved for a waiting list (P48), so that a seat that becomes free goes to the waiting list first.
 */
export const seatsLeft = sql<number>`(capacity - (select sold + held + offered from course_date_seats
  where course_date_id = course_dates.id) - ${reserved})::integer`.as('left');

/** For queries of `course_dates`: free seats reserved for the next entries on a waiting list (P48). */
export const seatsReserved = sql<number>`${reserved}`.as('reserved');

/**
 * For queries that join course dates under the given name: whether a course date takes enrolments on a day in Brisbane,
 * seats apart. It is `takesEnrolments` (P39) in SQL; null where the query joins no course date.
 */
export function takesEnrolmentsOn(today: Day, name = 'course_dates') {
  const of = (column: string) => sql.ref(`${name}.${column}`);
  return sql<boolean>`(${of('state')} <> 'cancelled'
    and ${of('enrolment_ends_on')} >= ${today} and ${of('starts_on')} >= ${today})`;
}

/** For queries of `course_dates`: seats sold and not given back. */
export const seatsSold = sql<number>`(select sold from course_date_seats
  where course_date_id = course_dates.id)`.as('sold');

/** Sets when a hold ends; null: its purpose ends it. */
export async function setHoldEnd(trx: Trx, holdId: number, expiresAt: Date | null): Promise<void> {
  await trx.updateTable('seat_holds').set({ expires_at: expiresAt }).where('id', '=', holdId).execute();
}

/** Gives a hold to the draft of a checkout, with a new end; one that has a draft keeps both. */
export async function giveHoldToDraft(
  trx: Trx,
  holdId: number,
  { draftId, until }: { draftId: number; until: Date },
): Promise<void> {
  await trx
    .updateTable('seat_holds')
    .set({ draft_id: draftId, expires_at: until })
    .where('id', '=', holdId)
    .where('draft_id', 'is', null)
    .execute();
}

/** Staff read on a course date for which quote its seats are held. */
export async function labelHolds(trx: Trx, holdIds: readonly number[], label: string): Promise<void> {
  await trx
    .updateTable('seat_holds')
    .set({ label })
    .where('id', 'in', [0, ...holdIds])
    .execute();
}
