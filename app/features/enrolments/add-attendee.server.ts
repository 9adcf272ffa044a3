import type { Trx } from '#app/db/client.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import { readProduct } from '#app/features/money/product.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { countChange, type TooManyMails } from './buyer-limits.server.ts';
import type { Enrolment } from './enrolment.ts';
import { invoiceAndTell } from './invoice-and-tell.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import type { AttendeeWish, CourseChoice } from './order.ts';
import { pricedChoices } from './place-enrolment.server.ts';
import { type Unplaceable, unplaceable } from './placeable.ts';
import { type TooManyUnpaid, tooManyUnpaid } from './unpaid-seats.server.ts';
import { writePlaces } from './write-places.server.ts';

/** Somebody who joins an enrolment; the choices are of its course or of each course of its combo. */
export type Addition = {
  enrolmentId: number;
  choices: readonly CourseChoice[];
  attendee: AttendeeWish;
  /** The price as it stood before the person. */
  shownCents: Cents;
  /** Staff may give the price of the places that the enrolment has, in place of today's (P83). */
  atContractPrice?: boolean;
  /** The member of staff or buyer who adds them. */
  actor: Actor;
};

/** Places of one enrolment that a buyer may have wait for the next date of one course; staff may enter more (P38). */
export const mostWithoutDate = 20;
/** Attendees that a buyer may add to one enrolment within an hour: as many as one can enrol at once (P28). */
const mostAddedAnHour = 6;

type TooManyAdded = { ok: false; reason: 'too-many-without-date' | 'too-many-added' };

/**
 * Adds an attendee while seats last: a placement of its own, with its price and its own invoice (P39). What a buyer
 * adds counts as with a new enrolment (P28): the unpaid seats, for the network it was placed from, the places without a
 * date, and how many in an hour.
 */
export async function addAttendee(
  trx: Trx,
  { enrolmentId, choices, attendee, shownCents, atContractPrice = false, actor }: Addition,
  moment: Moment,
): Promise<
  | { ok: true; placeIds: number[] }
  | Unplaceable
  | Meanwhile
  | { ok: false; reason: 'not-offered' }
  | TooManyUnpaid
  | TooManyAdded
  | TooManyMails
  | { ok: false; reason: 'price-changed'; shownCents: Cents; nowCents: Cents }
> {
  requirePermission(actor, 'enrolments:change');
  const { now, today } = moment;
  const wanted = choices.flatMap((choice) => (choice.way === 'date' ? [choice.courseDateId] : []));
  const locked = await lockEnrolment(trx, enrolmentId, now, wanted);
  if (!locked.ok) return locked;
  const { enrolment, courseDates } = locked;
  const courseIds = choices.map(({ courseId }) => courseId);
  const product = await readProduct(trx, { comboId: enrolment.comboId, courseIds }, now);
  const its = courseIds.every((id) => enrolment.places.some(({ courseId }) => courseId === id));
  if (!product || !its) return { ok: false, reason: 'not-offered' };
  const refused = unplaceable(choices, product, { courseDates, held: new Map(), seats: 1, today });
  if (refused) return refused;
  const tooMany = actor.kind === 'buyer' && (await findTooMany(trx, enrolment, choices, now));
  if (tooMany) return tooMany;
  const prices =
    (atContractPrice && actor.kind !== 'buyer' && contractPrices(enrolment, product.prices)) || product.prices;
  const { totalCents: nowCents } = quoteOfPrices(prices, 1);
  if (nowCents !== shownCents) return { ok: false, reason: 'price-changed', shownCents, nowCents };
  const tooOften = actor.kind === 'buyer' && (await countChange(trx, enrolment, attendee.email, now));
  if (tooOften) return tooOften;
  const written = { enrolmentId, attendees: [attendee], choices: pricedChoices(choices, prices) };
  const placeIds = await writePlaces(trx, written, { courseDates, at: now });
  await markChanged(trx, enrolmentId, now);
  await invoiceAndTell(trx, { enrolmentId, placeIds, courseDates: only(courseDates, wanted), actor }, moment);
  return { ok: true, placeIds };
}

/**
 * The price of these courses for one attendee at the prices of an enrolment: for each course, the price of its latest
 * place. Null when a course has no active place.
 */
export function contractPrices(
  { places }: Pick<Enrolment, 'places'>,
  today: readonly CoursePrice[],
): CoursePrice[] | null {
  const prices = today.flatMap(({ courseId, title }): CoursePrice[] => {
    const place = places.findLast((one) => one.courseId === courseId && one.state !== 'cancelled');
    if (!place) return [];
    const { priceId, priceCents, discountCents, discount } = place;
    return [{ courseId, title, priceId, priceCents, discountCents, discount }];
  });
  return prices.length === today.length ? prices : null;
}

async function findTooMany(
  trx: Trx,
  enrolment: Enrolment,
  choices: readonly CourseChoice[],
  at: Date,
): Promise<TooManyUnpaid | TooManyAdded | null> {
  const { network } = await trx
    .selectFrom('enrolments')
    .select('network')
    .where('id', '=', enrolment.id)
    .executeTakeFirstOrThrow();
  const seats = choices.filter(({ way }) => way === 'date').length;
  const unpaid = await tooManyUnpaid(trx, { email: enrolment.email, network, seats, at });
  if (unpaid) return unpaid;
  const active = enrolment.places.filter(({ state }) => state === 'active');
  const waiting = (id: number) => active.filter(({ courseId, way }) => courseId === id && way === 'next-date').length;
  if (choices.some(({ courseId, way }) => way === 'next-date' && waiting(courseId) >= mostWithoutDate))
    return { ok: false, reason: 'too-many-without-date' };
  return (await countAdded(trx, enrolment.id, at)) >= mostAddedAnHour ? { ok: false, reason: 'too-many-added' } : null;
}

/** How many attendees joined an enrolment within an hour, without those it was placed with; moves are not counted. */
async function countAdded(trx: Trx, enrolmentId: number, at: Date): Promise<number> {
  const { added } = await trx
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(({ fn }) => fn.count<number>('attendee_id').distinct().as('added'))
    .where('enrolment_id', '=', enrolmentId)
    .where('transferred_from', 'is', null)
    .where('places.placed_at', '>', new Date(at.getTime() - hourMs))
    .whereRef('places.placed_at', '>', 'enrolments.placed_at')
    .executeTakeFirstOrThrow();
  return added;
}

const hourMs = 60 * 60 * 1000;

const only = (courseDates: ReadonlyMap<number, LockedCourseDate>, ids: readonly number[]) =>
  new Map([...courseDates].filter(([id]) => ids.includes(id)));
