import type { Db, Trx } from '#app/db/client.server.ts';
import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import { attendeeLeft, type CourseInWords, type EnrolmentRefunds, enrolmentPlaced } from '#app/emails/enrolments.ts';

import { type PlaceChange, placeChanged, placeGiven } from '#app/emails/places.ts';

import { readAttending } from '#app/features/catalogue/site/queries.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { moneyDue } from '#app/features/money/open-invoice.ts';
import { comboRule } from '#app/features/money/refund.ts';
import { refundRows, refundText } from '#app/features/money/refund-words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { type Mail, placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { type Enrolment, groupsOf, hasDates, isBuyers, type Place, type PlacesOfDate } from './enrolment.ts';
import { enrolmentLink, placeLink } from './links.server.ts';
import { type Invoice, invoiceFile, openOf, payFacts, queueAccountsCopy } from './money-mails.server.ts';
import { type Charged, purchasesOf, refundable } from './purchases.ts';
import { courseForAttendee, courseInWords, placeEntry, readiness, withoutLink } from './words.ts';

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

/** From now on attendees are told everything about their places. */
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

/**
 * Queues the mails about new places, of a new enrolment or added to one. The buyer gets the tax invoice and the
 * accounts address a copy. Each attendee with an address gets a mail about the place, without money (P32). Attendees
 * get a calendar part for each course with dates: one a mail, as RFC 6047 asks.
 */
export async function queuePlacedMails(
  trx: Trx,
  enrolment: Enrolment,
  { places, invoice, untold }: Placed,
  moment: Moment,
): Promise<void> {
  const { academy, today } = moment;
  const { id, reference, title, email, accountsEmail, accountsConfirmed } = enrolment;
  const charged = await chargedFor(trx, id);
  // A place without a date is not invoiced yet.
  const total = places.reduce(
    (sum, { way, ...place }) => sum + (way === 'next-date' ? place.amountCents : charged(place.id)),
    0,
  );
  const courses = groupsOf(places);
  const own = places.filter((place) => isBuyers(enrolment, place));
  const shown = own.find(hasDates);
  const attachments = invoice ? [invoiceFile(invoice)] : [];
  const open = invoice ? await openOf(trx, id, invoice) : undefined;
  await queueMail(trx, {
    kind: 'enrolment-placed',
    about: { kind: 'enrolment', id },
    to: email,
    replyTo: academy.email,
    links: [enrolmentLink(id)],
    attachments,
    ...enrolmentPlaced({
      reference,
      title,
      courses: courses.map(courseInWords),
      total: formatMoney(total),
      discount: discountInWords(places, total),
      due: dueOf(total, invoice ? { open } : null),
      pay: payFacts(open, today),
      places: places.length,
      refunds: refundsInWords(enrolment, { places, charged }, moment),
      rule: enrolment.comboId === null ? null : comboRule,
      invoiced: invoice !== null,
      owed: open !== undefined,
      untold: untold.size,
      calendar: shown !== undefined,
      link: placeholderOf(enrolmentLink(id)),
      academy,
    }),
    ...(shown && calendarPart('REQUEST', enrolment, shown, email, moment)),
  });
  if (accountsEmail && accountsConfirmed && invoice)
    await queueAccountsCopy(trx, enrolment, { to: accountsEmail, invoice, moment });
  for (const place of places) {
    if (place !== shown && !untold.has(place.attendee.id)) await queuePlaceGiven(trx, enrolment, place, moment);
  }
}

type Placed = {
  places: readonly Place[];
  invoice: Invoice | null;
  /** Attendees who are not told: their mailbox was given too many places today. */
  untold: ReadonlySet<number>;
};

/** Tells an attendee with an address of their place; nobody when there is none. */
export async function queuePlaceGiven(trx: Db, enrolment: Enrolment, place: Place, moment: Moment): Promise<void> {
  const { academy } = moment;
  const { email } = place.attendee;
  if (email === null) return;
  // A buyer who attends has the other mail, unless it could not hold the entry of this course, or the link to its
  // modules.
  if (isBuyers(enrolment, place) && place.way === 'next-date') return;
  const link = placeLink(enrolment.id, place.attendee.id);
  await queueMail(trx, {
    kind: 'place-given',
    about: { kind: 'enrolment', id: enrolment.id },
    to: email,
    replyTo: academy.email,
    links: [link],
    ...placeGiven({
      reference: enrolment.reference,
      course: isBuyers(enrolment, place) ? courseInWords([place]) : courseForAttendee(place),
      ready: readiness(place, await readAttending(trx)),
      link: placeholderOf(link),
      calendar: hasDates(place),
      academy,
    }),
    ...(hasDates(place) && calendarPart('REQUEST', enrolment, place, email, moment)),
  });
}

function dueOf(total: Cents, invoiced: { open: Parameters<typeof moneyDue>[0] } | null): string {
  if (!invoiced) return 'Nothing is due yet. We’ll email your tax invoice when the course has a date.';
  if (total === 0) return 'You owe nothing: the adjustment note takes off the whole price.';
  return moneyDue(invoiced.open);
}

/** The refunds of new places and their days: rows for a date or a combo, otherwise sentences (P99, P100). */
function refundsInWords(
  enrolment: Enrolment,
  { places, charged }: { places: readonly Place[]; charged: Charged },
  { now, today }: Pick<Moment, 'now' | 'today'>,
): EnrolmentRefunds {
  const bought = purchasesOf(enrolment, today)
    .filter(({ goes }) => goes.some(({ id }) => places.some((place) => place.id === id)))
    .map((one) => refundable(one, { charged, today }));
  const [first] = bought;
  const each = bought.length > 1 ? ` for each ${first?.combo ? 'person' : 'place'}` : '';
  const texts = [...new Set(bought.map((one) => refundText(one, now)))];
  const byDays = first?.combo || first?.courses[0]?.study.way === 'date';
  if (first && byDays && texts.length === 1) {
    return {
      rows: refundRows(first, now).map(({ word, day, cents }) => {
        const sum = cents === 0 ? 'Nothing' : `${formatMoney(cents)}${each}`;
        return [`${word} ${day}`.trim(), sum];
      }),
    };
  }
  return {
    text: texts.map((text) => `${each ? `For each place: ${text}` : text.charAt(0).toUpperCase() + text.slice(1)}.`),
  };
}

/** The discounts on the prices: by the rule of a combo, and by staff, with the reason on the adjustment note. */
function discountInWords(places: readonly Place[], totalCents: Cents): string | null {
  const cents = places.reduce((sum, { discountCents }) => sum + discountCents, 0);
  const why = places.find(({ discount }) => discount !== null)?.discount;
  const byStaff = places.reduce((sum, { amountCents }) => sum + amountCents, 0) - totalCents;
  const words = [
    ...(cents > 0 && why ? [`${why}: ${formatMoney(cents)}`] : []),
    ...(byStaff > 0 ? [`${formatMoney(byStaff)}, as the adjustment note says`] : []),
  ];
  return words.length > 0 ? words.join('; ') : null;
}

/** The calendar part of a mail to `attendee` that puts a place into their calendar, or takes it out. */
function calendarPart(
  method: 'REQUEST' | 'CANCEL',
  enrolment: Enrolment,
  place: Place & { way: 'date' },
  attendee: string,
  { academy, now }: Moment,
): Pick<Mail, 'calendar'> {
  const content = dailyAppointmentFile(
    method,
    now,
    placeEntry(enrolment, place, { academy, attendee, leaving: method === 'CANCEL' }),
  );
  return { calendar: { method, content } };
}
