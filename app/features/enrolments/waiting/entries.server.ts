import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { Busy } from '#app/db/connection-failure.server.ts';
import { seatsHeldByForms } from '#app/features/course-dates/draft-holds.server.ts';
import {
  endHold,
  type LockedCourseDate,
  lockCourseDates,
  setHoldEnd,
} from '#app/features/course-dates/seats.server.ts';
import type { Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { unbookable } from '#app/features/enrolments/placeable.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { endLinks } from '#app/outbox/private-links.server.ts';
import { queueJoined, queueOffer } from './mails.server.ts';
import { readEntry } from './queries.server.ts';
import { anyDate, type ClosedWhy, type Preferences, type WaitingEntry } from './rules.ts';

/** A request to join; on a course's list `courseDateId` is null, and it may say what would suit. */
export type WaitingRequest = {
  courseId: number;
  courseDateId: number | null;
  seats: number;
  preferences?: Preferences;
  name: string;
  email: string;
};

export type Joined = {
  ok: true;
  entryId: number;
  reference: string;
  /** The address was on this list already; its entry stays as it was (P48). */
  repeat: boolean;
};
export type NotJoined =
  | { ok: false; reason: 'course-date-closed' | 'course-date-cancelled' }
  /** Enough seats are free: enrol instead. */
  | { ok: false; reason: 'seats-free'; left: number }
  /**
   * Enough seats become free within minutes unless they are bought: the seats `held` while others fill in their forms.
   */
  | { ok: false; reason: 'seats-held'; left: number; held: number }
  /** The room never holds so many. */
  | { ok: false; reason: 'too-many'; capacity: number };

/**
 * Puts somebody on a waiting list, free and without obligation (P48), and mails the private link that confirms the
 * address: at once, or when the hour of the address is over (P24). An unconfirmed entry reserves no seats. An address
 * has one open entry on a list: joining again returns that entry, and mails a further link once an hour. An unconfirmed
 * entry takes over the latest request.
 */
export async function joinWaitingList(trx: Trx, request: WaitingRequest, moment: Moment): Promise<Joined | NotJoined> {
  const { today, now } = moment;
  const { courseId, courseDateId, seats } = request;
  const courseDate = (await lockCourseDates(trx, courseDateId === null ? [] : [courseDateId], now)).get(
    courseDateId ?? 0,
  );
  await lockList(trx, courseId);
  const first = await openEntryOf(trx, request);
  if (first?.confirmed) {
    await queueJoined(trx, first, { again: true }, moment);
    return { ok: true, entryId: first.id, reference: first.reference, repeat: true };
  }
  if (courseDateId !== null) {
    const refused = unbookable(courseDate, { courseId, organisationId: null, today });
    if (refused) return { ok: false, reason: refused };
    if (courseDate && seats > courseDate.capacity)
      return { ok: false, reason: 'too-many', capacity: courseDate.capacity };
    if (courseDate && courseDate.left >= seats) return { ok: false, reason: 'seats-free', left: courseDate.left };
    const held = courseDate ? await seatsHeldByForms(trx, courseDate.id, now) : 0;
    if (courseDate && courseDate.left + held >= seats)
      return { ok: false, reason: 'seats-held', left: courseDate.left, held };
  }
  if (first) {
    const latest = { seats, name: request.name, ...columnsOf(request.preferences) };
    await trx.updateTable('waiting_entries').set(latest).where('id', '=', first.id).execute();
    await queueJoined(trx, first, { again: true }, moment);
    return { ok: true, entryId: first.id, reference: first.reference, repeat: true };
  }
  const entry = await insertEntry(trx, request, now);
  await queueJoined(trx, entry, { again: false }, moment);
  return { ok: true, entryId: entry.id, reference: entry.reference, repeat: false };
}

/** Locks the waiting lists of a course, entries and offers. Lock its course dates first. */
export async function lockList(trx: Trx, courseId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waiting lists of course ${courseId}`}, 0))`.execute(trx);
}

async function openEntryOf(db: Db, { email, courseId, courseDateId }: WaitingRequest): Promise<WaitingEntry | null> {
  const row = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('mailbox', '=', mailboxOf(email))
    .where('course_id', '=', courseId)
    .where('course_date_id', 'is not distinct from', courseDateId)
    .where('enrolment_id', 'is', null)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return row ? readEntry(db, row.id) : null;
}

const columnsOf = ({ weeks, venue }: Preferences = anyDate) => ({ weeks: [...weeks], venue });

async function insertEntry(trx: Trx, request: WaitingRequest, at: Date): Promise<WaitingEntry> {
  for (;;) {
    // No row when the reference was given out before.
    const row = await trx
      .insertInto('waiting_entries')
      .values({
        reference: newReference(),
        course_date_id: request.courseDateId,
        course_id: request.courseId,
        seats: request.seats,
        ...columnsOf(request.preferences),
        name: request.name,
        email: request.email,
        mailbox: mailboxOf(request.email),
        mail_domain: mailDomainOf(request.email),
        joined_at: at,
      })
      .returning('id')
      .executeTakeFirst();
    const entry = row && (await readEntry(trx, row.id));
    if (entry) return entry;
  }
}

export type LockedEntry = { ok: true; entry: WaitingEntry; courseDates: Map<number, LockedCourseDate> };
export type NoEntry = { ok: false; reason: 'unknown' };

/**
 * Locks the course date an entry waits for, that of its offer and further ones, then the lists of its course, and reads the
 * entry again. What has run out by then has ended.
 */
export async function lockEntry(
  trx: Trx,
  entryId: number,
  at: Date,
  further: readonly number[] = [],
): Promise<LockedEntry | NoEntry | Meanwhile> {
  const seen = await readEntry(trx, entryId);
  if (!seen) return { ok: false, reason: 'unknown' };
  const wanted = new Set([...further, ...[seen.courseDateId, seen.offer?.courseDateId].flatMap((id) => id ?? [])]);
  const courseDates = await lockCourseDates(trx, [...wanted], at);
  await lockList(trx, seen.courseId);
  const entry = await readEntry(trx, entryId);
  if (!entry) return { ok: false, reason: 'unknown' };
  if (entry.offer && !wanted.has(entry.offer.courseDateId)) return { ok: false, reason: 'meanwhile' };
  return { ok: true, entry, courseDates };
}

/** Ends the open offer of a locked entry, when it has one, and gives its seats back. */
async function endOffer(
  trx: Trx,
  { entry, courseDates }: Pick<LockedEntry, 'entry' | 'courseDates'>,
  how: 'declined' | 'withdrawn' | 'undeliverable',
  { at, reason = null }: { at: Date; reason?: string | null },
): Promise<void> {
  const { offer } = entry;
  if (!offer) return;
  await trx
    .updateTable('waiting_offers')
    .set({ ended_at: at, ended: how, ...(reason !== null && { reason }) })
    .where('id', '=', offer.id)
    .execute();
  // A retired course date is locked, but not among those returned.
  const courseDate = courseDates.get(offer.courseDateId) ?? { id: offer.courseDateId, left: 0 };
  await endHold(trx, courseDate, offer.holdId, 'released', at);
}

/** Closes a locked entry and ends its offer. */
export async function closeEntry(
  trx: Trx,
  locked: Pick<LockedEntry, 'entry' | 'courseDates'>,
  why: ClosedWhy,
  at: Date,
): Promise<void> {
  await endOffer(
    trx,
    locked,
    why === 'undeliverable' ? why : why === 'declined' || why === 'left' ? 'declined' : 'withdrawn',
    { at },
  );
  await trx
    .updateTable('waiting_entries')
    .set({ closed_at: at, closed_why: why, paused_at: null })
    .where('id', '=', locked.entry.id)
    .where('closed_at', 'is', null)
    .execute();
}

/**
 * Leaves a list, also while seats are offered, or declines an offer, which closes the entry as well (P48). Places that
 * were bought cannot leave; when they decline a date they wait for the next one. Once closed, repeating it does
 * nothing.
 */
export async function leaveWaitingList(
  trx: Trx,
  entryId: number,
  why: 'left' | 'declined',
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | NoEntry | Meanwhile | { ok: false; reason: 'bought' | 'no-offer' }> {
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (entry.closedAt !== null) return { ok: true };
  if (why === 'left' && entry.enrolmentId !== null) return { ok: false, reason: 'bought' };
  if (why === 'declined' && !entry.offer) return { ok: false, reason: 'no-offer' };
  await closeEntry(trx, locked, why, now);
  return { ok: true };
}

/**
 * Confirms the address of an entry, because the link mailed to it was opened and its button pressed: from now on it
 * competes, in the order in which it joined (P48). Repeating it does nothing, nor does it open one that is closed.
 */
export async function confirmEntry(
  trx: Trx,
  entryId: number,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | NoEntry | Meanwhile> {
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  await markConfirmed(trx, entryId, now);
  return { ok: true };
}

/** Changes what suits an entry of a course's list, while it is open (P98). */
export async function changePreferences(trx: Trx, entryId: number, preferences: Preferences): Promise<void> {
  await trx
    .updateTable('waiting_entries')
    .set(columnsOf(preferences))
    .where('id', '=', entryId)
    .where('course_date_id', 'is', null)
    .where('closed_at', 'is', null)
    .execute();
}

/** Marks a locked entry as confirmed, unless it was before. */
export async function markConfirmed(trx: Trx, entryId: number, at: Date): Promise<void> {
  const confirmed = await trx
    .updateTable('waiting_entries')
    .set({ confirmed_at: at })
    .where('id', '=', entryId)
    .where('confirmed_at', 'is', null)
    .returning('email')
    .executeTakeFirst();
  if (confirmed) await verifyAddress(trx, confirmed.email, at);
}

type By = { actor: Actor; reason: string };
export type Refused = NoEntry | Meanwhile | { ok: false; reason: 'no-offer' | 'closed' | 'bought' };

/**
 * Staff withdraw an offer (P48): its seats go to the next, the person is told, and the entry keeps its place on the
 * list but is not offered seats by itself any more.
 */
export async function withdrawOffer(
  trx: Trx,
  entryId: number,
  { actor, reason }: By,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | Refused> {
  requirePermission(actor, 'waiting:change');
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (!entry.offer) return { ok: false, reason: 'no-offer' };
  await endOffer(trx, locked, 'withdrawn', { at: now, reason });
  await trx.updateTable('waiting_entries').set({ paused_at: now }).where('id', '=', entryId).execute();
  await record(trx, { actor, at: now, action: 'withdraw-offer', reference: entry.reference });
  return { ok: true };
}

/** Staff take an entry off its list (P48); places that were bought stay on it. */
export async function removeEntry(
  trx: Trx,
  entryId: number,
  { actor }: Pick<By, 'actor'>,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | Refused> {
  requirePermission(actor, 'waiting:change');
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  if (entry.enrolmentId !== null) return { ok: false, reason: 'bought' };
  await closeEntry(trx, locked, 'staff', now);
  await record(trx, { actor, at: now, action: 'remove-waiting', reference: entry.reference });
  return { ok: true };
}

/** Staff let an entry have its turn again after its offer was withdrawn. */
export async function resumeEntry(
  trx: Trx,
  entryId: number,
  { actor }: Pick<By, 'actor'>,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | Refused> {
  requirePermission(actor, 'waiting:change');
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
  if (entry.pausedAt !== null) {
    await record(trx, { actor, at: now, action: 'resume-waiting', reference: entry.reference });
  }
  return { ok: true };
}

/** Writes the audit entry of an act on an entry. The offer has the reason, because that may name people. */
export function record(
  trx: Trx,
  { actor, at, action, reference }: { actor: Actor; at: Date; action: string; reference: string },
): Promise<void> {
  return writeAuditEntry(trx, { at, personId: personIdOf(actor), action, subject: `waiting-entry:${reference}` });
}

/** The course dates in which seats are offered to the places of an enrolment. */
export async function offeredCourseDates(trx: Trx, enrolmentId: number): Promise<number[]> {
  const offers = await trx
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .select('waiting_offers.course_date_id as id')
    .where('enrolment_id', '=', enrolmentId)
    .where('ended_at', 'is', null)
    .execute();
  return offers.map(({ id }) => id);
}

/**
 * Moves the waiting entries of bought places to the new address of their buyer. They keep their turn, their links end,
 * and an open offer is mailed to the new address, where its time starts again: accepting it binds, so nobody at the
 * former address may accept. The caller has locked the enrolment and, before it, `courseDates`, as `offeredCourseDates`
 * read them. Throws Busy when seats in another course date were offered since.
 */
export async function followBuyer(
  trx: Trx,
  { enrolmentId, email, courseDates }: { enrolmentId: number; email: string; courseDates: readonly number[] },
  moment: Moment,
): Promise<void> {
  const entries = await trx
    .selectFrom('waiting_entries')
    .select(['id', 'course_id'])
    .where('enrolment_id', '=', enrolmentId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();
  const locked = await lockCourseDates(trx, [...courseDates], moment.now);
  for (const { id, course_id } of entries) {
    await lockList(trx, course_id);
    await trx
      .updateTable('waiting_entries')
      .set({ email, mailbox: mailboxOf(email) })
      .where('id', '=', id)
      .execute();
    await endLinks(trx, { waitingEntryId: id });
    const entry = await readEntry(trx, id);
    const offer = entry?.offer;
    if (!offer) continue;
    if (!courseDates.includes(offer.courseDateId)) throw new Busy('seats were offered while the address was changed');
    const courseDate = locked.get(offer.courseDateId);
    // A retired one takes nobody; its offer ends.
    if (!courseDate) continue;
    const mailId = await queueOffer(trx, { entry, offerId: offer.id, courseDate, seats: offer.seats }, moment);
    await trx
      .updateTable('waiting_offers')
      .set({ mail_id: mailId, mailed_at: null })
      .where('id', '=', offer.id)
      .execute();
    await setHoldEnd(trx, offer.holdId, null);
  }
}
