import type { Db, Trx } from '#app/db/client.server.ts';
import { endHold } from '#app/features/course-dates/seats.server.ts';
import { copiesTo } from '#app/features/enrolments/accounts-address.server.ts';
import { cancellingInWords, confirmReached } from '#app/features/enrolments/confirmed.server.ts';
import { groupsOf, lastFirstDay, type Place } from '#app/features/enrolments/enrolment.ts';
import { type TooManyUnpaid, tooManyUnpaid } from '#app/features/enrolments/limits.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from '#app/features/enrolments/lock-enrolment.server.ts';
import { queuePlaceMails } from '#app/features/enrolments/mails.server.ts';
import { mayMove } from '#app/features/enrolments/may-change.ts';
import { invoiceFile, queueAccountsCopy } from '#app/features/enrolments/money-mails.server.ts';
import { sellOne } from '#app/features/enrolments/place-enrolment.server.ts';
import { unbookable } from '#app/features/enrolments/placeable.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { shrinkOffer } from '#app/features/enrolments/waiting/shrink-offer.server.ts';
import { placeWhen } from '#app/features/enrolments/words.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { moneyDue } from '#app/features/money/open-invoice.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { lockList } from './entries.server.ts';
import type { WaitingEntry } from './rules.ts';

export type NotDated =
  | Meanwhile
  /** Of a buyer who accepts; staff are not limited. */
  | TooManyUnpaid
  | { ok: false; reason: 'none-waiting' | 'offer-over' | 'course-date-closed' | 'course-date-cancelled' }
  | { ok: false; reason: 'course-date-full'; left: number };

type Dating = {
  enrolmentId: number;
  courseId: number;
  courseDateId: number;
  actor: Actor;
  /**
   * The hold of the offer that is accepted, for as many places as it has seats; without it staff give the date, also of
   * seats that others wait for.
   */
  acceptedHold?: number;
  /** The only place that gets the date; all that wait without it. */
  onlyPlace?: number;
};

/**
 * Gives the places of an enrolment that wait for the next date of a course their seats in a course date: from then
 * on they are dated, and invoiced at the price that was fixed when they were placed (P38). Their waiting entry is
 * closed, and its offer ends. Places that are left wait on in the same turn (P48), and keep an offer that is open. A refusal has written nothing.
 */
export async function datePlaces(
  trx: Trx,
  { enrolmentId, courseId, courseDateId, actor, acceptedHold, onlyPlace }: Dating,
  moment: Moment,
): Promise<{ ok: true; places: number } | NotDated> {
  requirePermission(actor, 'enrolments:change');
  const { today, now } = moment;
  const seen = await openOffers(trx, enrolmentId, courseId);
  const locked = await lockEnrolment(trx, enrolmentId, now, [courseDateId, ...seen.map((offer) => offer.courseDateId)]);
  if (!locked.ok) return locked;
  // Locked, so that nobody offers its entry another date at the same time.
  await lockList(trx, courseId);
  const offers = await openOffers(trx, enrolmentId, courseId);
  if (acceptedHold !== undefined && !offers.some(({ holdId }) => holdId === acceptedHold)) {
    return { ok: false, reason: 'offer-over' };
  }
  if (!offers.every((offer) => locked.courseDates.has(offer.courseDateId))) return { ok: false, reason: 'meanwhile' };
  const allWaiting = locked.enrolment.places.filter(isWaitingFor(courseId));
  const accepted = offers.find(({ holdId }) => holdId === acceptedHold)?.seats;
  const waiting =
    onlyPlace === undefined ? allWaiting.slice(0, accepted) : allWaiting.filter(({ id }) => id === onlyPlace);
  const courseDate = locked.courseDates.get(courseDateId);
  if (waiting.length === 0) return { ok: false, reason: 'none-waiting' };
  const { organisationId } = locked.enrolment;
  const refused = unbookable(courseDate, { courseId, organisationId, today });
  if (refused || !courseDate) return { ok: false, reason: refused ?? 'course-date-closed' };
  const publicLeft = courseDate.left;
  if (acceptedHold === undefined)
    Object.assign(courseDate, { left: courseDate.left + courseDate.reserved, reserved: 0 });
  const here = offers.filter((offer) => offer.courseDateId === courseDateId);
  const left = courseDate.left + here.reduce((sum, { seats }) => sum + seats, 0);
  if (left < waiting.length) return { ok: false, reason: 'course-date-full', left };
  if (actor.kind === 'buyer') {
    const wish = { email: locked.enrolment.email, network: null, seats: waiting.length, at: now };
    const unpaid = await tooManyUnpaid(trx, wish);
    if (unpaid) return unpaid;
  }
  const turn = await turnOf(trx, enrolmentId, courseId);
  const rest = allWaiting.length - waiting.length;
  for (const offer of offers) {
    const offered = locked.courseDates.get(offer.courseDateId);
    if (!offered) continue;
    const isHere = offer.courseDateId === courseDateId;
    const used = isHere ? Math.max(0, waiting.length - publicLeft) : 0;
    // Staff who give one place a date leave the others their offer.
    const kept = offer.holdId === acceptedHold ? 0 : Math.min(offer.seats - used, rest);
    if (kept > 0) await shrinkOffer(trx, offered, { holdId: offer.holdId, seats: kept, at: now });
    else await endHold(trx, offered, offer.holdId, isHere ? 'sold' : 'released', now);
  }
  const placeIds = waiting.map(({ id }) => id);
  await trx
    .updateTable('places')
    .set({ way: 'date', course_date_id: courseDateId, dated_at: now })
    .where('id', 'in', placeIds)
    .execute();
  for (const id of placeIds) await sellOne(trx, courseDate, id, now);
  if (rest === 0) await closeEntryOf(trx, enrolmentId, courseId, now);
  // Its offer was sold, and closed it.
  else if (!(await leaveOpen(trx, { enrolmentId, courseId, seats: rest })) && turn) await waitOn(trx, turn, rest);
  await confirmReached(trx, new Map([[courseDateId, courseDate]]), placeIds, moment);
  const invoice = await issueTaxInvoice(trx, { enrolmentId, placeIds, today, at: now });
  const enrolment = await markChanged(trx, enrolmentId, now);
  const open = (await openInvoices(trx, enrolmentId)).find(({ id }) => id === invoice.id);
  const charged = await chargedFor(trx, enrolmentId);
  const to = copiesTo(enrolment);
  if (to) await queueAccountsCopy(trx, enrolment, { to, invoice, moment });
  for (const places of groupsOf(enrolment.places.filter(({ id }) => placeIds.includes(id)))) {
    const money = [
      moneyDue(open),
      'The tax invoice is attached.',
      cancellingInWords(enrolment, places, charged, moment),
    ];
    const attachments = [invoiceFile(invoice)];
    await queuePlaceMails(trx, enrolment, { change: 'dated', places, money, attachments }, moment);
  }
  return { ok: true, places: placeIds.length };
}

/** The open entry of places that wait for a course. */
const turnOf = (trx: Trx, enrolmentId: number, courseId: number) =>
  trx
    .selectFrom('waiting_entries')
    .select(['enrolment_id', 'course_id', 'name', 'email', 'mailbox', 'joined_at'])
    .where('enrolment_id', '=', enrolmentId)
    .where('course_id', '=', courseId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();

async function closeEntryOf(trx: Trx, enrolmentId: number, courseId: number, now: Date): Promise<void> {
  await trx
    .updateTable('waiting_entries')
    .set({ closed_at: now, closed_why: 'bought', paused_at: null })
    .where('enrolment_id', '=', enrolmentId)
    .where('course_id', '=', courseId)
    .where('closed_at', 'is', null)
    .execute();
}

/** Lowers the seats of an open entry to those of the places that got no date; false when none is open. */
async function leaveOpen(
  trx: Trx,
  { enrolmentId, courseId, seats }: { enrolmentId: number; courseId: number; seats: number },
): Promise<boolean> {
  const left = await trx
    .updateTable('waiting_entries')
    .set({ seats })
    .where('enrolment_id', '=', enrolmentId)
    .where('course_id', '=', courseId)
    .where('closed_at', 'is', null)
    .returning('id')
    .execute();
  return left.length > 0;
}

/** An entry for the places that got no date, where the one before it stood: they did not give their turn away. */
async function waitOn(trx: Trx, turn: NonNullable<Awaited<ReturnType<typeof turnOf>>>, seats: number): Promise<void> {
  await trx
    .insertInto('waiting_entries')
    .values({ ...turn, reference: newReference(), seats })
    .execute();
}

const isWaitingFor = (courseId: number) => (place: Place) =>
  place.courseId === courseId && place.way === 'next-date' && place.state === 'active';

/** The offers to the entry of places that wait for a course; one at most. */
const openOffers = (trx: Trx, enrolmentId: number, courseId: number) =>
  trx
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .select(['hold_id as holdId', 'waiting_offers.course_date_id as courseDateId', 'waiting_offers.seats'])
    .where('enrolment_id', '=', enrolmentId)
    .where('waiting_entries.course_id', '=', courseId)
    .where('ended_at', 'is', null)
    .execute();

/** A place that its buyer may move to a date that they are offered, and when it is now. */
export type MovablePlace = { enrolmentId: number; placeId: number; when: string };

/**
 * The places of the same course, bought with the address of an entry, that may be moved to the date that it is offered (P40):
 * nobody should have to buy a second place to get the other date.
 */
export async function readMovable(
  db: Db,
  { email, courseId, enrolmentId, offer }: WaitingEntry,
  today: Day,
): Promise<MovablePlace[]> {
  if (!offer || enrolmentId !== null) return [];
  const courseDate = await db
    .selectFrom('course_dates')
    .select('starts_on')
    .where('id', '=', offer.courseDateId)
    .executeTakeFirstOrThrow();
  if (courseDate.starts_on > lastFirstDay(today)) return [];
  const enrolments = await db
    .selectFrom('enrolments')
    .innerJoin('places', 'places.enrolment_id', 'enrolments.id')
    .select('enrolments.id')
    .distinct()
    .where('mailbox', '=', mailboxOf(email))
    .where('enrolments.email', '=', email)
    .where('course_id', '=', courseId)
    .where('places.state', '=', 'active')
    .where('course_date_id', '<>', offer.courseDateId)
    .orderBy('enrolments.id')
    .limit(10)
    .execute();
  const movable: MovablePlace[] = [];
  for (const { id } of enrolments) {
    const { places } = await readEnrolment(db, id);
    for (const place of places) {
      const isOther = place.courseId === courseId && place.courseDate?.id !== offer.courseDateId;
      if (isOther && mayMove(place, 'buyer', today) === 'yes') {
        movable.push({ enrolmentId: id, placeId: place.id, when: placeWhen(place) });
      }
    }
  }
  return movable;
}
