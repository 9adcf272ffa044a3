import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { agreedPrices, type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import { hourMs } from '#app/lib/durations.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Cents } from '#app/lib/money.ts';
import { haveCommonWord } from '#app/lib/name-words.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { endLinks, moveLinks } from '#app/outbox/private-links.server.ts';
import { forgetAbsenceNotices } from './absence-notices.server.ts';
import { recordCorrection } from './buyer.server.ts';
import type { Attendee, Enrolment, Place } from './enrolment.ts';
import {
  beyondCredit,
  countChange,
  countGiven,
  type TooManyMails,
  type TooManyUnpaid,
  tooManyUnpaid,
} from './limits.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queueAttendeeLeft, queuePlaceGiven, queuePlaceMails } from './mails.server.ts';
import { isKept, mayGiveAway } from './may-change.ts';
import type { AttendeeWish, CourseChoice } from './order.ts';
import { readAgreed } from './organisation.server.ts';
import { attendeeColumns, invoiceAndTell, pricedChoices, writePlaces } from './place-enrolment.server.ts';
import { type Unplaceable, unplaceable } from './placeable.ts';
import { readEnrolment } from './queries.server.ts';
import { attendeesInWords } from './words.ts';

type NotChanged =
  | Meanwhile
  | TooManyMails
  /** `begun`: another person is named, and all of their places have begun. */
  | { ok: false; reason: 'unknown' | 'no-place' | 'begun' };

/** The new attendee. Changes by the buyer's private link have limits. */
export type AttendeeChange = {
  enrolmentId: number;
  attendeeId: number;
  attendee: AttendeeWish;
  actor: Actor;
  /** False where the caller tells the buyer. */
  tellBuyer?: boolean;
};

/**
 * Names an attendee, corrects their details, or gives their places to another person (P100): free, and not a move. A
 * place that has begun stays with its attendee: another person gets only the others, but a name or address can still be
 * corrected. A replaced address loses its links, and both addresses are told. `changed` is false when nothing differs.
 */
export async function changeAttendee(
  trx: Trx,
  { enrolmentId, attendeeId, attendee, actor, tellBuyer = true }: AttendeeChange,
  moment: Moment,
): Promise<{ ok: true; changed: boolean } | NotChanged> {
  requirePermission(actor, 'enrolments:change');
  const { now, today } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const places = locked.enrolment.places.filter((place) => place.attendee.id === attendeeId);
  const before = places[0]?.attendee;
  if (!before) return { ok: false, reason: 'unknown' };
  const active = places.filter(({ state }) => state === 'active');
  if (active.length === 0) return { ok: false, reason: 'no-place' };
  const { name, email, needs, under18, guardian } = attendee;
  const sameName = before.name === name;
  const sameAddress = mailboxOf(before.email ?? '') === mailboxOf(email ?? '');
  const sameRest =
    before.email === email &&
    before.needs === needs &&
    before.under18 === under18 &&
    before.guardianName === (guardian?.name ?? null) &&
    before.guardianEmail === (guardian?.email ?? null);
  if (sameName && sameRest) return { ok: true, changed: false };
  const kept = places.filter((place) => isKept(place, today));
  const stays = kept.length > 0 && (await isAnother(trx, { id: attendeeId, before, wish: attendee, kept })) ? kept : [];
  const given = active.filter((place) => stays.length === 0 || mayGiveAway(place, today) === 'yes');
  if (given.length === 0) return { ok: false, reason: 'begun' };
  if (actor.kind === 'buyer' && !(sameName && sameAddress)) {
    const to = sameAddress ? null : email;
    const refused = await countChange(trx, locked.enrolment, to, now);
    if (refused) return refused;
    await countGiven(trx, locked.enrolment, to, now);
  }

  const otherPerson = namesAnother(before, attendee);
  if (stays.length > 0) await partAttendee(trx, attendeeId, stays);
  if (otherPerson) await forgetAbsenceNotices(trx, idsOf(given));
  await trx
    .updateTable('attendees')
    .set({ ...attendeeColumns(attendee), told: before.told || !sameAddress })
    .where('id', '=', attendeeId)
    .execute();
  const fields = {
    ...{ name: !sameName, email: before.email !== email, needs: before.needs !== needs, other: true },
    person: otherPerson,
  };
  const names = sameName ? null : { before: before.name, after: name };
  await recordCorrection(trx, { enrolmentId, attendeeId, fields, names, actor, at: now });
  if (!sameAddress) await endLinks(trx, { attendeeIds: [attendeeId] });
  const enrolment = await markChanged(trx, enrolmentId, now);
  if (sameName && sameAddress) return { ok: true, changed: true };
  const current = enrolment.places.filter((place) => given.some(({ id }) => id === place.id));
  const why = otherPerson ? 'other-person' : 'other-address';
  for (const place of sameAddress || !before.told ? [] : given)
    await queueAttendeeLeft(trx, enrolment, { place, why }, moment);
  const [first, ...others] = current;
  if (first && !sameName && tellBuyer) {
    // To the buyer only: attendees get their own mail below.
    await queuePlaceMails(
      trx,
      enrolment,
      {
        places: [first, ...others],
        ...(before.name === null
          ? { change: 'attendee-named' }
          : {
              change: otherPerson ? 'attendee-changed' : 'attendee-corrected',
              previously: attendeesInWords([before]),
            }),
        buyerOnly: true,
      },
      moment,
    );
  }
  for (const place of sameAddress ? [] : current) await queuePlaceGiven(trx, enrolment, place, moment);
  return { ok: true, changed: true };
}

const idsOf = (places: readonly Place[]) => places.map(({ id }) => id);

/** No word of a name is left and the address is another one, or a name is taken off. */
const namesAnother = (before: Attendee, { name, email }: AttendeeWish): boolean =>
  before.name !== null &&
  (name === null || (!haveCommonWord(before.name, name) && mailboxOf(before.email ?? '') !== mailboxOf(email ?? '')));

/**
 * Whether places that have begun would be another person's, or nobody's: no word is left of the name with which they
 * began, at another address. One correction after the other leads there too.
 */
async function isAnother(
  trx: Trx,
  { id, before, wish, kept }: { id: number; before: Attendee; wish: AttendeeWish; kept: readonly Place[] },
): Promise<boolean> {
  if (before.name !== null && wish.name === null) return true;
  if (before.email !== null && wish.email === null) return true;
  const since = await trx
    .selectFrom('corrections')
    .select(['fields', 'name_before'])
    .where('attendee_id', '=', id)
    .where('at', '>=', new Date(Math.min(...kept.map(beganAt))))
    .orderBy('id')
    .execute();
  const name = since.find(({ name_before }) => name_before !== null)?.name_before ?? before.name;
  const moved = mailboxOf(before.email ?? '') !== mailboxOf(wish.email ?? '') || since.some(isMove);
  return moved && name !== null && wish.name !== null && !haveCommonWord(name, wish.name);
}

/** Somebody who is named first has no address before. */
const isMove = ({ fields, name_before }: { fields: string[]; name_before: string | null }) =>
  fields.includes('email') && !(fields.includes('name') && name_before === null);

/** The instant at which a place began, in milliseconds. */
function beganAt({ courseDate, modules }: Place): number {
  if (courseDate) return instantOf(courseDate.startsOn, '00:00', academyZone).getTime();
  return Math.min(...modules.flatMap(({ openedAt }) => openedAt?.getTime() ?? []));
}

/**
 * Moves places to an attendee of their own who is the same person, with the private links and the dates that they were
 * moved from. The other places keep their attendee, who becomes another person.
 */
async function partAttendee(trx: Trx, attendeeId: number, places: readonly Place[]): Promise<void> {
  const { id } = await trx
    .insertInto('attendees')
    .columns([
      ...(['enrolment_id', 'name', 'email', 'mailbox', 'under_18', 'guardian_name', 'guardian_email'] as const),
      ...(['told', 'parted_from'] as const),
    ])
    .expression(
      trx
        .selectFrom('attendees')
        .select(['enrolment_id', 'name', 'email', 'mailbox', 'under_18', 'guardian_name', 'guardian_email', 'told'])
        .select(sql<number>`coalesce(parted_from, id)`.as('parted_from'))
        .where('id', '=', attendeeId),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`with recursive kept as (
      select id, transferred_from from places where id = any(${idsOf(places)}::bigint[])
      union select places.id, places.transferred_from from places join kept on places.id = kept.transferred_from
    ) update places set attendee_id = ${id} where id in (select id from kept)`.execute(trx);
  await moveLinks(trx, { from: attendeeId, to: id });
}

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
  const { organisationId } = enrolment;
  const refused = unplaceable(choices, product, { courseDates, held: new Map(), seats: 1, organisationId, today });
  if (refused) return refused;
  const agreed = organisationId === null ? null : await readAgreed(trx, organisationId);
  const credit = agreed?.creditSeats ?? null;
  const tooMany = actor.kind === 'buyer' && (await findTooMany(trx, enrolment, { choices, credit, at: now }));
  if (tooMany) return tooMany;
  const prices =
    (atContractPrice && actor.kind !== 'buyer' && contractPrices(enrolment, product.prices)) || product.prices;
  const { totalCents: nowCents } = quoteOfPrices(prices, 1);
  if (nowCents !== shownCents) return { ok: false, reason: 'price-changed', shownCents, nowCents };
  const tooOften = actor.kind === 'buyer' && (await countChange(trx, enrolment, attendee.email, now));
  if (tooOften) return tooOften;
  const charged = actor.kind === 'buyer' && agreed?.discount ? agreedPrices(prices, agreed.discount) : prices;
  const written = { enrolmentId, attendees: [attendee], choices: pricedChoices(choices, charged) };
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
  { choices, credit, at }: { choices: readonly CourseChoice[]; credit: number | null; at: Date },
): Promise<TooManyUnpaid | TooManyAdded | null> {
  const { network } = await trx
    .selectFrom('enrolments')
    .select('network')
    .where('id', '=', enrolment.id)
    .executeTakeFirstOrThrow();
  const seats = choices.filter(({ way }) => way === 'date').length;
  const { organisationId, email } = enrolment;
  const unpaid =
    credit !== null && organisationId !== null
      ? await beyondCredit(trx, { organisationId, most: credit, seats, at })
      : await tooManyUnpaid(trx, { email, network, seats, at });
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

const only = (courseDates: ReadonlyMap<number, LockedCourseDate>, ids: readonly number[]) =>
  new Map([...courseDates].filter(([id]) => ids.includes(id)));

type Names = Pick<AttendeeChange, 'enrolmentId' | 'actor'> & {
  wishes: readonly Pick<AttendeeChange, 'attendeeId' | 'attendee'>[];
};

/** Names several attendees, and tells the buyer once. The first that cannot be named refuses all: the caller undoes. */
export async function nameAttendees(trx: Trx, { wishes, ...of }: Names, moment: Moment) {
  const named = new Set<number>();
  for (const wish of wishes) {
    const result = await changeAttendee(trx, { ...of, ...wish, tellBuyer: false }, moment);
    if (!result.ok) return result;
    if (result.changed && wish.attendee.name !== null) named.add(wish.attendeeId);
  }
  const enrolment = await readEnrolment(trx, of.enrolmentId);
  const [first, ...others] = enrolment.places.filter(
    ({ state, attendee }) => state === 'active' && named.has(attendee.id),
  );
  if (first) {
    const event = { change: 'attendee-named', places: [first, ...others], buyerOnly: true } as const;
    await queuePlaceMails(trx, enrolment, event, moment);
  }
  return { ok: true as const };
}

/**
 * The first day, from a day on, of an active place of an enrolment whose attendee has no name; `infinity` for a place
 * without a date, null for none. Dates that the academy cancelled do not count. `enrolment` is the column of its id.
 */
export const unnamedFrom = (enrolment: RawBuilder<unknown>, from: Day): RawBuilder<Day | null> => sql<Day | null>`(
  select min(coalesce(course_date.starts_on, place.guided_from, 'infinity'))
  from places place join attendees attendee on attendee.id = place.attendee_id
    left join course_dates course_date on course_date.id = place.course_date_id
  where place.enrolment_id = ${enrolment} and place.state = 'active' and attendee.name is null
    and course_date.state is distinct from 'cancelled'
    and coalesce(course_date.starts_on, place.guided_from, 'infinity') >= ${from}::date)`;
