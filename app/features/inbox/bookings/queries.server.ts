import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Bookings } from '#app/db/schema.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { isReference } from '#app/http/references.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import type { BookingKind } from './kinds.ts';
import { type BookingState, bookableWindow, stateOf, type Taken } from './rules.ts';

/** A booking with the personal data that its holder and staff may read. Times are instants. */
export type Booking = {
  id: number;
  reference: string;
  kind: BookingKind;
  startsAt: Date;
  endsAt: Date;
  name: string;
  email: string;
  note: string | null;
  about: string | null;
  createdAt: Date;
  cancelledAt: Date | null;
  sequence: number;
  changedAt: Date;
  calendarId: string;
};

/** The part of a row that `bookingOf` needs. */
export const bookingColumns = [
  'id',
  'reference',
  'kind',
  'starts_at',
  'ends_at',
  'name',
  'email',
  'note',
  'about',
  'created_at',
  'cancelled_at',
  'sequence',
  'changed_at',
  'calendar_id',
] as const satisfies (keyof Bookings)[];

/** A row of `bookings` with the columns above. */
export function bookingOf(row: Pick<Selectable<Bookings>, (typeof bookingColumns)[number]>): Booking {
  return {
    id: row.id,
    reference: row.reference,
    kind: row.kind,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    name: row.name,
    email: row.email,
    note: row.note,
    about: row.about,
    createdAt: row.created_at,
    cancelledAt: row.cancelled_at,
    sequence: row.sequence,
    changedAt: row.changed_at,
    calendarId: row.calendar_id,
  };
}

/** The occupied times of the advisers between two instants, without those of the booking `except`. */
export async function readTaken(db: Db, from: Date, to: Date, except?: number): Promise<Taken[]> {
  let query = db
    .selectFrom('bookings')
    .select(['adviser', sql<Date>`lower(occupied)`.as('start'), sql<Date>`upper(occupied)`.as('end')])
    .where('cancelled_at', 'is', null)
    .where(sql<boolean>`occupied && tstzrange(${from}, ${to})`);
  if (except !== undefined) query = query.where('id', '!=', except);
  return query.execute();
}

/** The occupied times within the window in which a booking made at `now` may start. */
export async function readTakenAhead(db: Db, now: Date, except?: number): Promise<Taken[]> {
  const { from, to } = bookableWindow(now);
  return readTaken(db, from, new Date(to.getTime() + dayMs), except);
}

/** The booking with a reference, null when there is none. */
export async function findBooking(db: Db, reference: string): Promise<Booking | null> {
  if (!isReference(reference)) return null;
  const row = await db
    .selectFrom('bookings')
    .select(bookingColumns)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row ? bookingOf(row) : null;
}

/** The same for staff. */
export async function findBookingForStaff(db: Db, actor: StaffActor, reference: string): Promise<Booking | null> {
  requirePermission(actor, 'bookings:read');
  return findBooking(db, reference);
}

/** The booking a private link leads to, null when there is none. */
export async function findBookingByToken(db: Db, token: string): Promise<Booking | null> {
  const row = await db
    .selectFrom('bookings')
    .select(bookingColumns)
    .where('id', 'in', (links) =>
      links.selectFrom('private_links').select('booking_id').where('token_hash', '=', hashOfToken(token)),
    )
    .executeTakeFirst();
  return row ? bookingOf(row) : null;
}

/** The booking of the same person for the same time with the same words, null when there is none (P25). */
export async function findSameBooking(
  db: Db,
  wish: { kind: BookingKind; start: Date; name: string; email: string; note: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('bookings')
    .select('reference')
    .where('kind', '=', wish.kind)
    .where('starts_at', '=', wish.start)
    .where('name', '=', wish.name)
    .where('mailbox', '=', mailboxOf(wish.email))
    .where(sql<string>`coalesce(note, '')`, '=', wish.note)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return row?.reference ?? null;
}

export type ListedBooking = Booking & { state: BookingState };

const pageSize = 50;

/**
 * Bookings for staff, 50 a page (the first is 1), with their number in all: those to come by start, others the latest
 * first. `search` is of the beginnings of words in reference, name and email address.
 */
export async function listBookings(
  db: Db,
  actor: StaffActor,
  { search = '', state, page = 1, now }: { search?: string; state?: BookingState; page?: number; now: Date },
): Promise<{ bookings: ListedBooking[]; total: number; pages: number }> {
  requirePermission(actor, 'bookings:read');
  const named = wordsFit(search, sql`words_of(reference, name, email)`);
  let matching = db.selectFrom('bookings');
  if (named) matching = matching.where(named);
  if (state === 'cancelled') matching = matching.where('cancelled_at', 'is not', null);
  else if (state)
    matching = matching.where('cancelled_at', 'is', null).where('starts_at', state === 'past' ? '<=' : '>', now);
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(bookingColumns)
    .orderBy('starts_at', state === 'upcoming' ? 'asc' : 'desc')
    .orderBy('id')
    .limit(pageSize)
    .offset((Math.max(1, page) - 1) * pageSize)
    .execute();
  return {
    bookings: rows.map(bookingOf).map((booking) => ({ ...booking, state: stateOf(booking, now) })),
    total,
    pages: Math.max(1, Math.ceil(total / pageSize)),
  };
}

/** When a booking begins. */
export async function readBookingStart(db: Db, id: number): Promise<Date> {
  const row = await db.selectFrom('bookings').select('starts_at').where('id', '=', id).executeTakeFirstOrThrow();
  return row.starts_at;
}
