import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { countBegun } from '#app/features/catalogue/visits/reads.server.ts';
import { giveHoldToDraft, holdSeats, type LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { wayField } from '#app/features/enrolments/enrolling/choice.ts';
import { draftToken, saveEnrolmentDraft, storeDraft } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { pricedItem, seenUntil } from '#app/features/enrolments/enrolling/seen-prices.server.ts';
import type { TooManyUnpaid } from '#app/features/enrolments/limits.server.ts';
import type { Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { unbookable } from '#app/features/enrolments/placeable.ts';
import { priceOfCourse } from '#app/features/money/pricing.ts';
import { type Actor, personIdOf, requirePermission, theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { datePlaces } from './date-places.server.ts';
import { lockEntry, lockList, markConfirmed, type NoEntry, record } from './entries.server.ts';
import { queueOffer, readCourse, readWaitingCourseDate } from './mails.server.ts';
import { acceptedEnd, offerEnd } from './offer-end.server.ts';
import { readEntry } from './queries.server.ts';
import type { WaitingEntry } from './rules.ts';

/**
 * Offers free seats of a locked course date to the next entry (P48); nobody else can take them meanwhile. False when
 * the entry is no longer next. The caller checks that the course date still takes enrolments.
 */
export async function offerInTurn(
  trx: Trx,
  courseDate: LockedCourseDate,
  entryId: number,
  moment: Moment,
): Promise<boolean> {
  await lockList(trx, courseDate.courseId);
  const { rows } = await sql`select from waiting_turns(${courseDate.id}) where entry_id = ${entryId}`.execute(trx);
  if (rows.length === 0) return false;
  const entry = await readEntry(trx, entryId);
  if (!entry || !(await offerTo(trx, { entry, courseDate, seats: entry.seats }, moment))) {
    throw new Error(
      `entry ${entryId} had its turn in locked course date ${courseDate.id}, but could not be offered seats`,
    );
  }
  return true;
}

/** Staff offer by hand and give a reason. Staff see the reason; it is erased with the entry. */
type ByHand = { actor: Actor; reason: string };

async function offerTo(
  trx: Trx,
  { entry, courseDate, seats, by }: { entry: WaitingEntry; courseDate: LockedCourseDate; seats: number; by?: ByHand },
  moment: Moment,
): Promise<boolean> {
  const { now } = moment;
  // The seats reserved for the next entry are the seats this entry is offered.
  const free = courseDate.left + courseDate.reserved;
  const held = await holdSeats(trx, {
    courseDate: Object.assign(courseDate, { left: free, reserved: 0 }),
    seats,
    purpose: 'waiting-offer',
    at: now,
    expiresAt: null,
  });
  if (!held.ok) return false;
  const { id } = await trx
    .insertInto('waiting_offers')
    .values({
      entry_id: entry.id,
      course_date_id: courseDate.id,
      hold_id: held.holdId,
      seats,
      made_at: now,
      made_by: by ? personIdOf(by.actor) : null,
      reason: by?.reason ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const mailId = await queueOffer(trx, { entry, offerId: id, courseDate, seats }, moment);
  await trx.updateTable('waiting_offers').set({ mail_id: mailId }).where('id', '=', id).execute();
  return true;
}

export type NotOffered =
  | NoEntry
  | Meanwhile
  | { ok: false; reason: 'closed' | 'offered' | 'course-date-closed' | 'course-date-cancelled' }
  | { ok: false; reason: 'course-date-full'; free: number };

/**
 * Staff offer seats to an entry out of turn (P48): of any course date of its course, up to all free seats, including seats
 * reserved for other entries.
 */
export async function offerByHand(
  trx: Trx,
  { entryId, courseDateId, seats, by }: { entryId: number; courseDateId: number; seats: number; by: ByHand },
  moment: Moment,
): Promise<{ ok: true } | NotOffered> {
  requirePermission(by.actor, 'waiting:change');
  const { now, today } = moment;
  const locked = await lockEntry(trx, entryId, now, [courseDateId]);
  if (!locked.ok) return locked;
  const { entry, courseDates } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  if (entry.offer) return { ok: false, reason: 'offered' };
  const courseDate = courseDates.get(courseDateId);
  const refused = unbookable(courseDate, { courseId: entry.courseId, organisationId: null, today });
  if (refused || !courseDate) return { ok: false, reason: refused ?? 'course-date-closed' };
  const free = courseDate.left + courseDate.reserved;
  // There are no more places that could get the date.
  const wanted = entry.enrolmentId === null ? seats : Math.min(seats, entry.seats);
  if (!(await offerTo(trx, { entry, courseDate, seats: wanted, by }, moment))) {
    return { ok: false, reason: 'course-date-full', free };
  }
  await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
  await record(trx, { actor: by.actor, at: now, action: 'offer-seats', reference: entry.reference });
  return { ok: true };
}

export type Accepted =
  /** Into the steps of enrolment, with the seats held for the offer's own time. */
  | { ok: true; draftToken: string }
  /** Bought before: the places have their date now. */
  | { ok: true; draftToken: null };

export type NotAccepted =
  | NoEntry
  | Meanwhile
  | TooManyUnpaid
  /** It ran out, was withdrawn, or the date is closed for enrolment. */
  | { ok: false; reason: 'over' };

/**
 * Accepts the offer of an entry (P48). A person who has not bought yet goes on in the steps of enrolment, with a draft
 * that has the offer's seats and its price as long as it is open. Accepting again leads to the same draft. Places that
 * were bought get their date and their invoice at once. `secret` signs the draft's link.
 */
export async function acceptWaitingOffer(
  trx: Trx,
  entryId: number,
  secret: string,
  moment: Moment,
): Promise<Accepted | NotAccepted> {
  const seen = await readEntry(trx, entryId);
  if (!seen) return { ok: false, reason: 'unknown' };
  return seen.enrolmentId === null ? beginDraft(trx, entryId, secret, moment) : acceptDate(trx, entryId, moment);
}

async function acceptDate(trx: Trx, entryId: number, moment: Moment): Promise<Accepted | NotAccepted> {
  const entry = await readEntry(trx, entryId);
  if (!entry?.offer || entry.enrolmentId === null) return { ok: false, reason: 'over' };
  const { enrolmentId, courseId, offer } = entry;
  const accepted = { enrolmentId, courseId, courseDateId: offer.courseDateId, acceptedHold: offer.holdId };
  const dated = await datePlaces(trx, { ...accepted, actor: theBuyer }, moment);
  if (dated.ok) return { ok: true, draftToken: null };
  if (dated.reason === 'too-many-unpaid') return dated;
  return dated.reason === 'meanwhile' ? { ok: false, reason: 'meanwhile' } : { ok: false, reason: 'over' };
}

async function beginDraft(trx: Trx, entryId: number, secret: string, moment: Moment): Promise<Accepted | NotAccepted> {
  const { now } = moment;
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry, courseDates } = locked;
  const { offer } = entry;
  const courseDate = offer && courseDates.get(offer.courseDateId);
  if (!offer || !courseDate) return { ok: false, reason: 'over' };
  // The same offer has one draft.
  const token = draftToken(secret, `waiting-offer:${offer.id}`);
  const draft = await storeDraft(trx, token, now);
  const until = acceptedEnd(offer.until ?? offerEnd(now, courseDate), now, courseDate);
  // The first time only: accepting again gives no more time.
  await giveHoldToDraft(trx, offer.holdId, { draftId: draft.id, until });
  await markConfirmed(trx, entryId, now);
  // A person who accepts has the message, even when the mail server said otherwise.
  await trx
    .updateTable('waiting_offers')
    .set((row) => ({ mailed_at: row.fn.coalesce('mailed_at', row.val(now)) }))
    .where('id', '=', offer.id)
    .execute();
  if (Object.keys(draft.choice).length === 0) {
    const course = await readCourse(trx, entry.courseId, offer.madeAt);
    const { slug } = await readWaitingCourseDate(trx, offer.courseDateId);
    const choice = {
      item: `course:${course.slug}`,
      attendees: String(offer.seats),
      [wayField(course.slug)]: `course-date:${slug}`,
    };
    const seen = seenUntil(until, priceOfCourse(course), now);
    await saveEnrolmentDraft(
      trx,
      draft.id,
      {
        choice,
        prices: { [pricedItem({ comboId: null, courses: [course] })]: seen },
        // Known, and proved by the link that was mailed there.
        payer: { buyerName: entry.name, email: entry.email },
        confirmedEmail: entry.email,
      },
      now,
    );
    await countBegun(trx, moment.today, [course.slug]);
  }
  return { ok: true, draftToken: token };
}

/** Offers that ran out or were withdrawn, of which the person has not been told yet. */
export const untoldOffers = (db: Db) =>
  db
    .selectFrom('waiting_offers')
    .where('ended_at', 'is not', null)
    .where('ended', 'in', ['lapsed', 'withdrawn'])
    .where('waiting_offers.told_at', 'is', null);
