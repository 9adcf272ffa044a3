import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { type Actor, requirePermission, theBuyer } from '#app/features/people/actor.ts';
import { newReference } from '#app/http/references.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { hourMs } from '#app/lib/durations.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { BookingKind } from './kinds.ts';
import {
  type Booking,
  bookingColumns,
  bookingOf,
  findSameBooking,
  readTaken,
  readTakenAhead,
} from './queries.server.ts';
import { bookableDays, freeAdviser, freeStartsOn, isOffered, type Span, spansOf, stateOf } from './rules.ts';

/** A checked request for a booking. */
export type BookingWish = {
  kind: BookingKind;
  start: Date;
  name: string;
  email: string;
  note: string;
  about: string | null;
};

/** Staff are bound by what is free, not by how often strangers may act. */
type Choosing = { settings: BookingSettings; now: Date; actor?: Actor };

/**
 * A time cannot be booked because it is not offered or taken; `next` is the next free time, null when there is none.
 */
export type NoTime = { ok: false; reason: 'not-offered' | 'taken'; next: Date | null };
/** The address got the confirmation of another booking within the hour, or has as many bookings as one may have. */
export type TooMany = { ok: false; reason: 'too-soon' | 'too-many' };
/** The address has another booking at that time: a person is in one conversation at a time. */
export type Overlaps = { ok: false; reason: 'overlaps' };

/** How many bookings to come one email address may have. */
export const mostBookings = 3;

/**
 * Books a time with the first adviser who is free (P20). The same person asking for the same time in the same words
 * gets the first reference (P25). One email address gets one new booking an hour, so that nobody can have the academy
 * write to a stranger more often. Locks the email address, then the day.
 */
export async function bookTime(
  trx: Db,
  wish: BookingWish,
  { settings, now, actor = theBuyer }: Choosing,
  reference: () => string = newReference,
): Promise<{ ok: true; booking: Booking | null; reference: string; repeat: boolean } | NoTime | TooMany | Overlaps> {
  requirePermission(actor, 'bookings:change');
  const mailbox = mailboxOf(wish.email);
  await lockMailbox(trx, mailbox);
  const same = await findSameBooking(trx, wish);
  if (same) return { ok: true, booking: null, reference: same, repeat: true };
  const others = await trx
    .selectFrom('bookings')
    .select(['starts_at', 'created_at', 'cancelled_at'])
    .where('mailbox', '=', mailbox)
    .execute();
  const limited = actor.kind !== 'staff';
  if (limited && others.some(({ created_at }) => now.getTime() - created_at.getTime() < hourMs)) {
    return { ok: false, reason: 'too-soon' };
  }
  const toCome = others.filter(({ starts_at, cancelled_at }) => cancelled_at === null && starts_at > now);
  if (limited && toCome.length >= mostBookings) return { ok: false, reason: 'too-many' };
  if (await overlaps(trx, mailbox, wish, settings)) return { ok: false, reason: 'overlaps' };

  const found = await findAdviser(trx, wish.kind, wish.start, { settings, now });
  if (!found.ok) return found;
  for (;;) {
    const row = await trx
      .insertInto('bookings')
      .values({
        reference: reference(),
        kind: wish.kind,
        adviser: found.adviser,
        starts_at: wish.start,
        ends_at: found.end,
        occupied: rangeOf(found.occupied),
        name: wish.name,
        email: wish.email,
        mailbox,
        note: wish.note || null,
        about: wish.about,
        created_at: now,
        changed_at: now,
      })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning(bookingColumns)
      .executeTakeFirst();
    if (row) return { ok: true, booking: bookingOf(row), reference: row.reference, repeat: false };
  }
}

/** How often a booking may be moved: each time its holder and staff get a message. */
const mostChanges = 10;

type Unchangeable = { ok: false; reason: 'cancelled' | 'past' | 'too-often' };

/**
 * Moves a booking to another time, with whichever adviser is free then; `previous` is what it was before, null when it
 * has that time already. Its former time is free again.
 */
export async function moveBooking(
  trx: Db,
  id: number,
  start: Date,
  { settings, now, actor = theBuyer }: Choosing,
): Promise<{ ok: true; booking: Booking; previous: Booking | null } | NoTime | Overlaps | Unchangeable> {
  requirePermission(actor, 'bookings:change');
  const booking = await lockBooking(trx, id);
  const state = stateOf(booking, now);
  if (state !== 'upcoming') return { ok: false, reason: state };
  if (booking.startsAt.getTime() === start.getTime()) return { ok: true, booking, previous: null };
  if (actor.kind !== 'staff' && booking.sequence >= mostChanges) return { ok: false, reason: 'too-often' };
  const mailbox = mailboxOf(booking.email);
  await lockMailbox(trx, mailbox);
  if (await overlaps(trx, mailbox, { kind: booking.kind, start }, settings, id))
    return { ok: false, reason: 'overlaps' };
  const found = await findAdviser(trx, booking.kind, start, { settings, now }, id);
  if (!found.ok) return found;
  const row = await trx
    .updateTable('bookings')
    .set({
      adviser: found.adviser,
      starts_at: start,
      ends_at: found.end,
      occupied: rangeOf(found.occupied),
      sequence: booking.sequence + 1,
      changed_at: now,
    })
    .where('id', '=', id)
    .returning(bookingColumns)
    .executeTakeFirstOrThrow();
  return { ok: true, booking: bookingOf(row), previous: booking };
}

/** Cancels a booking that has not begun; its time is free again. `changed` is false when it was cancelled before. */
export async function cancelBooking(
  trx: Db,
  id: number,
  { now, actor = theBuyer }: Pick<Choosing, 'now' | 'actor'>,
): Promise<{ ok: true; booking: Booking; changed: boolean } | { ok: false; reason: 'past' }> {
  requirePermission(actor, 'bookings:change');
  const booking = await lockBooking(trx, id);
  const state = stateOf(booking, now);
  if (state === 'cancelled') return { ok: true, booking, changed: false };
  if (state === 'past') return { ok: false, reason: state };
  const row = await trx
    .updateTable('bookings')
    .set({ cancelled_at: now, changed_at: now, sequence: booking.sequence + 1 })
    .where('id', '=', id)
    .returning(bookingColumns)
    .executeTakeFirstOrThrow();
  return { ok: true, booking: bookingOf(row), changed: true };
}

async function lockBooking(trx: Db, id: number): Promise<Booking> {
  const row = await trx
    .selectFrom('bookings')
    .select(bookingColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return bookingOf(row);
}

/** Whether an address has a booking at the time of another; `except` is the booking that would move. */
async function overlaps(
  trx: Db,
  mailbox: string,
  { kind, start }: Pick<BookingWish, 'kind' | 'start'>,
  settings: BookingSettings,
  except = 0,
): Promise<boolean> {
  const row = await trx
    .selectFrom('bookings')
    .select('id')
    .where('mailbox', '=', mailbox)
    .where('id', '!=', except)
    .where('cancelled_at', 'is', null)
    .where('starts_at', '<', spansOf(kind, start, settings).end)
    .where('ends_at', '>', start)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the day, then looks for an adviser who is free; `except` is the booking that would move. */
async function findAdviser(
  trx: Db,
  kind: BookingKind,
  start: Date,
  { settings, now }: Pick<Choosing, 'settings' | 'now'>,
  except?: number,
): Promise<{ ok: true; adviser: number; end: Date; occupied: Span } | NoTime> {
  const next = () => nextFree(trx, kind, start, { settings, now }, except);
  if (!isOffered(start, kind, settings, now)) return { ok: false, reason: 'not-offered', next: await next() };
  await lock(trx, `bookings on ${academyDay(start)}`);
  const { end, occupied } = spansOf(kind, start, settings);
  const taken = await readTaken(trx, occupied.start, occupied.end, except);
  const adviser = freeAdviser(occupied, taken, settings.advisers);
  return adviser === null ? { ok: false, reason: 'taken', next: await next() } : { ok: true, adviser, end, occupied };
}

/** The first free time from `start` on; the first of all when none is later. */
async function nextFree(
  trx: Db,
  kind: BookingKind,
  start: Date,
  { settings, now }: Pick<Choosing, 'settings' | 'now'>,
  except?: number,
): Promise<Date | null> {
  const taken = await readTakenAhead(trx, now, except);
  const free = bookableDays(now).flatMap((day) => freeStartsOn(day, kind, settings, { taken, now }));
  return free.find((one) => one >= start) ?? free[0] ?? null;
}

const lockMailbox = (trx: Db, mailbox: string) => lock(trx, `bookings of ${mailbox}`);

/** Until the transaction ends, others with the same name wait here. */
async function lock(trx: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

const rangeOf = ({ start, end }: Span) => sql<string>`tstzrange(${start}, ${end})`;
