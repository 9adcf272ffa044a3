import type { Trx } from '#app/db/client.server.ts';
import { type OwnOffer, readOwnOffers } from '#app/features/course-dates/queries.server.ts';
import { endHold, type LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { shrinkOffer } from '#app/features/enrolments/waiting/shrink-offer.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { endPlaces } from './cancel-places.server.ts';
import { confirmReached, dueInWords } from './confirmed.server.ts';
import { lastFirstDay, type Place } from './enrolment.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { mayMove, openChoice } from './may-change.ts';
import { sellOne } from './place-enrolment.server.ts';
import { minimumAhead, unbookable } from './placeable.ts';
import { capOfMove } from './purchases.ts';
import { placeWhen } from './words.ts';

/**
 * A place of a course date, another course date of the same course, and who moves it: staff may more often (P100).
 * `atTheirWish`: the buyer asked staff for it, so it counts as a move of their own.
 */
export type Transfer = {
  enrolmentId: number;
  placeId: number;
  toCourseDateId: number;
  actor: Actor;
  atTheirWish?: boolean;
};

export type Transferred = { ok: true; placeId: number };

export type NotTransferred =
  | Meanwhile
  | {
      ok: false;
      reason: 'not-active' | 'same-course-date' | 'course-date-closed' | 'course-date-cancelled' | 'too-far';
    }
  | { ok: false; reason: 'course-date-full'; left: number }
  /** The first day has come, the free move was used (P100), or a private date needs more people (P114): staff may. */
  | { ok: false; reason: 'begun' | 'moved-before' | 'below-minimum' };

/**
 * Moves a place to another date of its course (P100): a new place follows the old one and keeps its price and invoice.
 * One move before the first day is free; a move because the academy cancelled or moved the course date uses none. A seat of that
 * date that its waiting list offers the buyer is taken before any other (P48).
 */
export async function transferPlace(
  trx: Trx,
  { enrolmentId, placeId, toCourseDateId, actor, atTheirWish = false }: Transfer,
  moment: Moment,
): Promise<Transferred | NotTransferred> {
  requirePermission(actor, 'enrolments:change');
  const { now } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now, [toCourseDateId]);
  if (!locked.ok) return locked;
  const { enrolment, courseDates } = locked;
  const place = enrolment.places.find(({ id, state }) => id === placeId && state === 'active');
  if (place?.way !== 'date') return { ok: false, reason: 'not-active' };
  const to = courseDates.get(toCourseDateId);
  const offer = (await readOwnOffers(trx, enrolment.email)).get(toCourseDateId);
  const refused = notTransferable(place, to, { ...moment, actor, offer, organisationId: enrolment.organisationId });
  if (refused) return refused;

  const cap = capOfMove(place, (await chargedFor(trx, enrolmentId))(placeId), now);
  await endPlaces(trx, [place], 'transfer', { courseDates, ...moment });
  const wished = actor.kind === 'buyer' || atTheirWish;
  const byBuyer = wished && openChoice(place, moment.today) === null;
  const { id } = await trx
    .insertInto('places')
    .values({
      enrolment_id: enrolmentId,
      attendee_id: place.attendee.id,
      course_id: place.courseId,
      way: 'date',
      course_date_id: toCourseDateId,
      price_id: place.priceId,
      price_cents: place.priceCents,
      discount_cents: place.discountCents,
      discount: place.discount,
      placed_at: now,
      transferred_from: place.id,
      move_cap: byBuyer ? cap.percent : place.moveCap,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (to && offer) await takeOffered(trx, to, offer, now);
  await sellOne(trx, to, id, now);
  await confirmReached(trx, courseDates, [id], moment);
  const changed = await markChanged(trx, enrolmentId, now);
  const moved = changed.places.find((one) => one.id === id);
  if (!moved) throw new Error(`place ${id} was not written`);
  const money = [
    'Price and invoice stay the same.',
    // A move that the academy caused limits no later refund.
    ...(byBuyer
      ? [`If you cancel later, it gives back at most what it gives back today: ${formatMoney(cap.cents)}.`]
      : []),
    // Nothing was due while the course date was not confirmed, or the buyer chose after it was cancelled.
    ...(place.courseDate.state !== 'confirmed' ? await dueInWords(trx, enrolmentId, moment) : []),
  ];
  await queuePlaceMails(
    trx,
    changed,
    { change: 'moved', places: [moved], previously: placeWhen(place), money },
    moment,
  );
  return { ok: true, placeId: id };
}

function notTransferable(
  place: Place & { way: 'date' },
  to: LockedCourseDate | undefined,
  {
    today,
    actor,
    offer,
    organisationId,
  }: Pick<Moment, 'today'> & {
    actor: Actor;
    offer: OwnOffer | undefined;
    organisationId: number | null;
  },
): NotTransferred | null {
  if (to?.id === place.courseDate.id) return { ok: false, reason: 'same-course-date' };
  const closed = unbookable(to, { courseId: place.courseId, organisationId, today });
  if (closed) return { ok: false, reason: closed };
  const may = mayMove(place, actor.kind === 'buyer' ? 'buyer' : 'staff', today);
  if (may === 'begun' || may === 'moved-before' || may === 'below-minimum') return { ok: false, reason: may };
  if (actor.kind === 'buyer' && minimumAhead(to) > 1) return { ok: false, reason: 'below-minimum' };
  if (to && to.startsOn > lastFirstDay(today)) return { ok: false, reason: 'too-far' };
  return offer || (to && to.left > 0) ? null : { ok: false, reason: 'course-date-full', left: to?.left ?? 0 };
}

/** Takes one seat of an offer, for a place that moves; the offer is for the others, or accepted with the last one. */
async function takeOffered(trx: Trx, to: LockedCourseDate, { holdId, seats }: OwnOffer, now: Date): Promise<void> {
  if (seats > 1) await shrinkOffer(trx, to, { holdId, seats: seats - 1, at: now });
  else await endHold(trx, to, holdId, 'sold', now);
}

/** Keeps a place in a course date that the academy moved, as it is now (P100). False when there was nothing to choose. */
export async function keepPlace(
  trx: Trx,
  { enrolmentId, placeId }: Pick<Transfer, 'enrolmentId' | 'placeId'>,
  { now }: Pick<Moment, 'now'>,
): Promise<boolean> {
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await trx
    .updateTable('places')
    .set({ choose_by: null, choose_why: null })
    .where('id', '=', placeId)
    .where('enrolment_id', '=', enrolmentId)
    .where('choose_why', '=', 'course-date-moved')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) {
    await trx.updateTable('enrolments').set({ changed_at: now }).where('id', '=', enrolmentId).execute();
  }
  return numUpdatedRows > 0n;
}

/** The course of a place that waits for its next date; null for any other place. */
export async function findCourseWithoutDate(trx: Trx, enrolmentId: number, placeId: number): Promise<number | null> {
  const place = await trx
    .selectFrom('places')
    .select('course_id')
    .where('id', '=', placeId)
    .where('enrolment_id', '=', enrolmentId)
    .where('way', '=', 'next-date')
    .executeTakeFirst();
  return place?.course_id ?? null;
}
