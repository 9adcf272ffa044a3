import type { Db } from '#app/db/client.server.ts';
import { attendeeLeft } from '#app/emails/attendee-left.ts';
import type { CourseInWords } from '#app/emails/enrolment-placed.ts';
import { type PlaceChange, placeChanged } from '#app/emails/place-changed.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { type Mail, placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { calendarPart } from './calendar-part.server.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { enrolmentLink, placeLink } from './links.server.ts';
import { hasDates, isBuyers, type PlacesOfDate } from './place-groups.ts';
import { courseForAttendee, courseInWords, withoutLink } from './words.ts';

/** A change of places; `places` are their state after it, of a cancellation before it. */
export type PlaceEvent = {
  change: PlaceChange;
  places: PlacesOfDate;
  previously?: string;
  /** Further news for everybody, a sentence a line. */
  news?: readonly string[];
  /** The effect on money, or the choice to make, for the buyer only. */
  money?: readonly string[];
  /** Documents, and the words about them. */
  attachments?: Mail['attachments'];
  buyerOnly?: boolean;
};

const methods: Record<PlaceChange, 'REQUEST' | 'CANCEL' | null> = {
  cancelled: 'CANCEL',
  moved: 'REQUEST',
  'attendee-changed': null,
  'attendee-named': null,
  'attendee-corrected': null,
  dated: 'REQUEST',
  'course-date-confirmed': 'REQUEST',
  'course-date-held': null,
  'course-date-cancelled': 'CANCEL',
  'course-date-moved': 'REQUEST',
  'course-date-changed': 'REQUEST',
  'joining-details': 'REQUEST',
};

/** Changes that a buyer makes: attendees who got no mail about their place get none about these. */
const byBuyer: readonly PlaceChange[] = ['cancelled', 'moved', 'dated'];

/**
 * Tells the buyer, and each attendee with an address of their own, what happened to places (P31, P40). Nobody of an
 * enrolment whose people were erased.
 */
export async function queuePlaceMails(
  trx: Db,
  enrolment: Enrolment,
  { change, places, previously, news = [], money = [], attachments = [], buyerOnly = false }: PlaceEvent,
  moment: Moment,
): Promise<void> {
  const { academy } = moment;
  const { reference, email: buyer } = enrolment;
  if (isErased(buyer)) return;
  const method = methods[change];
  const part = (place: Place | undefined, to: string) =>
    method && place && hasDates(place) ? calendarPart(method, enrolment, place, to, moment) : {};
  const common = { change, reference, previously: previously ?? null, news, academy };
  const wordsOf = (all: CourseInWords) => {
    // An attendee who leaves a class does not get its link.
    const course = method === 'CANCEL' ? withoutLink(all) : all;
    return change === 'cancelled' ? { ...course, standing: 'Cancelled' } : course;
  };
  const own = places.find((place) => isBuyers(enrolment, place));
  const others = places.filter((place) => place.attendee.email !== null && !isBuyers(enrolment, place));
  const untold = byBuyer.includes(change) ? others.filter(({ attendee }) => !attendee.told) : [];
  await queueMail(trx, {
    kind: `place-${change}`,
    about: { kind: 'enrolment', id: enrolment.id },
    to: buyer,
    replyTo: academy.email,
    links: [enrolmentLink(enrolment.id)],
    attachments,
    ...placeChanged({
      ...common,
      to: 'buyer',
      count: places.length,
      course: wordsOf(courseInWords(places)),
      money,
      untold: buyerOnly ? 0 : untold.length,
      calendar: own !== undefined && hasDates(own) ? method : null,
      link: placeholderOf(enrolmentLink(enrolment.id)),
    }),
    ...part(own, buyer),
  });
  const told = buyerOnly ? [] : others.filter((place) => !untold.includes(place));
  await markTold(trx, told);
  for (const place of told) {
    const to = place.attendee.email;
    if (to === null) continue;
    const link = placeLink(enrolment.id, place.attendee.id);
    await queueMail(trx, {
      kind: `place-${change}`,
      about: { kind: 'enrolment', id: enrolment.id },
      to,
      replyTo: academy.email,
      links: [link],
      ...placeChanged({
        ...common,
        to: 'attendee',
        course: wordsOf(courseForAttendee(place)),
        money: [],
        calendar: hasDates(place) ? method : null,
        link: placeholderOf(link),
      }),
      ...part(place, to),
    });
  }
}

/** From now on attendees hear of everything about their places. */
export async function markTold(trx: Db, places: readonly Pick<Place, 'attendee'>[]): Promise<void> {
  const ids = places.flatMap(({ attendee }) => (attendee.told ? [] : [attendee.id]));
  if (ids.length > 0) await trx.updateTable('attendees').set({ told: true }).where('id', 'in', ids).execute();
}

/**
 * Tells the address that an attendee had: that the place goes to another person, which takes it out of their calendar,
 * or only that the same person is not written to there any more. `place` is as it was before.
 */
export async function queueAttendeeLeft(
  trx: Db,
  enrolment: Enrolment,
  { place, why }: { place: Place; why: 'other-person' | 'other-address' },
  moment: Moment,
): Promise<void> {
  const { academy } = moment;
  const { email } = place.attendee;
  if (email === null || isBuyers(enrolment, place)) return;
  const course = withoutLink(courseForAttendee(place));
  await queueMail(trx, {
    kind: `place-${why}`,
    about: { kind: 'enrolment', id: enrolment.id },
    to: email,
    replyTo: academy.email,
    ...attendeeLeft({
      why,
      reference: enrolment.reference,
      course: why === 'other-person' ? { ...course, standing: '' } : course,
      calendar: hasDates(place),
      academy,
    }),
    // Both addresses may lead to one calendar, where a CANCEL could take out the entry of the new address.
    ...(why === 'other-person' && hasDates(place) && calendarPart('CANCEL', enrolment, place, email, moment)),
  });
}
