import type { Db } from '#app/db/client.server.ts';
import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { type CourseInWords, enrolmentPlaced } from '#app/emails/enrolment-placed.ts';
import { invoiceCopy } from '#app/emails/invoice-copy.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { type PlaceChange, placeChanged } from '#app/emails/place-changed.ts';
import { placeGiven } from '#app/emails/place-given.ts';
import type { Issued } from '#app/features/money/invoices.server.ts';
import { keepingRule } from '#app/features/money/keeping-rule.ts';
import { moneyDue } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { refundText } from '#app/features/money/refund-ladder.ts';
import { readAttending } from '#app/features/site/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { formatMoney } from '#app/lib/money.ts';
import { type Mail, placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { enrolmentLink, placeLink } from './links.server.ts';
import { isErased } from './personal-records.server.ts';
import { refundablePlace } from './refundable.ts';
import { courseForAttendee, courseInWords, placeEntry, readiness, withoutLink } from './words.ts';

/** One or several places of one enrolment that are taken in the same way. */
export type AlikePlaces = readonly [Place, ...Place[]];
/** A document to attach, and the words about it. */
type Attached = NonNullable<Mail['attachments']>;

type Invoice = Issued<TaxInvoiceFacts>;

/**
 * Queues the mails about new places, of a new enrolment or added to one. The buyer gets the tax invoice and the
 * accounts address a copy. Each attendee with an address gets a mail about the place, without money (P32). Attendees
 * get a calendar part for each course with dates: one a mail, as RFC 6047 asks.
 */
export async function queuePlacedMails(
  trx: Db,
  enrolment: Enrolment,
  { places, invoice, untold }: Placed,
  moment: Moment,
): Promise<void> {
  const { academy, now } = moment;
  const { id, reference, title, email, accountsEmail, accountsConfirmed } = enrolment;
  const total = places.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const courses = groupsOf(places);
  const own = places.filter((place) => isBuyers(enrolment, place));
  const shown = own.find(hasDates);
  const attachments = invoice ? [invoiceFile(invoice)] : [];
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
      discount: discountInWords(places),
      due: invoice
        ? moneyDue(await openOf(trx, id, invoice))
        : 'Nothing is due yet. The tax invoice comes when the course has a date.',
      pay: invoice ? payFacts(invoice.facts) : [],
      refunds: [
        ...courses.map(([place]) => {
          const refund = refundText(refundablePlace(enrolment, place, { now }), now);
          if (courses.length > 1) return `${place.courseTitle}: ${refund}.`;
          return places.length > 1
            ? `For each place: ${refund}.`
            : `${refund.charAt(0).toUpperCase()}${refund.slice(1)}.`;
        }),
        ...keepingInWords(enrolment, courses),
      ],
      invoiced: invoice !== null,
      untold: untold.size,
      calendar: shown !== undefined,
      link: placeholderOf(enrolmentLink(id)),
      academy,
    }),
    ...(shown && calendarPart('REQUEST', enrolment, shown, email, moment)),
  });
  if (accountsEmail && accountsConfirmed && invoice)
    await queueAccountsCopy(trx, enrolment, { to: accountsEmail, invoice, academy });
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
  // A buyer who attends has the other mail, unless it could not hold the entry of this course, or the link to its modules.
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

/** What happened to places; `places` are as they are now, of a cancellation as they were. */
export type PlaceEvent = {
  change: PlaceChange;
  places: AlikePlaces;
  previously?: string;
  /** What else is new, a sentence a line, for everybody. */
  news?: readonly string[];
  /** What it means in money or what there is to decide, for the buyer only. */
  money?: readonly string[];
  attachments?: Attached;
  buyerOnly?: boolean;
};

const methods: Record<PlaceChange, 'REQUEST' | 'CANCEL' | null> = {
  cancelled: 'CANCEL',
  moved: 'REQUEST',
  'attendee-changed': null,
  'attendee-named': null,
  'sold-again': null,
  dated: 'REQUEST',
  'session-confirmed': 'REQUEST',
  'session-cancelled': 'CANCEL',
  'session-moved': 'REQUEST',
  'session-changed': 'REQUEST',
  'way-in': 'REQUEST',
};

/** Changes that a buyer makes: attendees who got no mail about their place get none about these. */
const byBuyer: readonly PlaceChange[] = ['cancelled', 'moved', 'dated', 'sold-again'];

/** After these the places are not taken any more. */
const ended: readonly PlaceChange[] = ['cancelled', 'sold-again'];

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
    return ended.includes(change) ? { ...course, standing: 'Cancelled' } : course;
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

/** Takes a place out of the calendar of somebody who no longer attends. */
export async function queueAttendeeLeft(trx: Db, enrolment: Enrolment, place: Place, moment: Moment): Promise<void> {
  const { academy } = moment;
  const { email } = place.attendee;
  if (email === null || isBuyers(enrolment, place)) return;
  await queueMail(trx, {
    kind: 'place-cancelled',
    about: { kind: 'enrolment', id: enrolment.id },
    to: email,
    replyTo: academy.email,
    ...placeChanged({
      change: 'cancelled',
      to: 'attendee',
      reference: enrolment.reference,
      course: { ...withoutLink(courseForAttendee(place)), standing: 'Cancelled' },
      previously: null,
      money: [],
      calendar: hasDates(place) ? 'CANCEL' : null,
      link: null,
      academy,
    }),
    ...(hasDates(place) && calendarPart('CANCEL', enrolment, place, email, moment)),
  });
}

/** The places that are active now, together where course, date and way are the same. */
export const groupsOf = (places: readonly Place[]): AlikePlaces[] =>
  alike(places.filter(({ state }) => state === 'active'));

/** Places together where course, date and way are the same. */
export function alike(places: readonly Place[]): AlikePlaces[] {
  const groups = Map.groupBy(places, ({ courseId, way, session, guidedFrom }) =>
    [courseId, way, session?.id, guidedFrom].join(),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

/** The tax invoice as an attachment: made again from its facts with each attempt to send. */
export const invoiceFile = ({ id, facts }: Invoice) => ({
  filename: `${facts.number}.pdf`,
  document: `tax-invoice:${id}`,
});

export const noteFile = ({ id, facts }: Issued<AdjustmentNoteFacts>) => ({
  filename: `${facts.number}.pdf`,
  document: `adjustment-note:${id}`,
});

const hasDates = (place: Place): place is Place & { way: 'session' } => place.way === 'session';

/** Whether a place is attended by the buyer, as far as the addresses tell. */
export const isBuyers = ({ email }: Pick<Enrolment, 'email'>, { attendee }: Pick<Place, 'attendee'>) =>
  attendee.email !== null && mailboxOf(attendee.email) === mailboxOf(email);

/** The price of each course of a combo for an attendee who keeps only some of them (P40). */
function keepingInWords({ ladder }: Enrolment, courses: readonly AlikePlaces[]): string[] {
  const discounted = courses.flatMap(([place]) => (place.discountCents > 0 ? [place] : []));
  if (!ladder.repricesKept || discounted.length < 2) return [];
  return [
    keepingRule,
    ...discounted.map(({ courseTitle, priceCents }) => `${courseTitle} by itself: ${formatMoney(priceCents)}`),
  ];
}

function calendarPart(
  method: 'REQUEST' | 'CANCEL',
  enrolment: Enrolment,
  place: Place & { way: 'session' },
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

function discountInWords(places: readonly Place[]): string | null {
  const cents = places.reduce((sum, { discountCents }) => sum + discountCents, 0);
  const why = places.find(({ discount }) => discount !== null)?.discount;
  return cents > 0 && why ? `${why}: ${formatMoney(cents)}` : null;
}

/** What is open of an invoice; undefined when it is paid. */
const openOf = async (trx: Db, enrolmentId: number, invoice: Invoice) =>
  (await openInvoices(trx, enrolmentId)).find(({ id }) => id === invoice.id);

/** How an invoice is paid by bank transfer (P29). */
const payFacts = ({ totalCents, payment }: TaxInvoiceFacts): [string, string][] => [
  ['Amount', formatMoney(totalCents)],
  ['BSB', payment.bsb],
  ['Account', payment.accountNumber],
  ['Account name', payment.accountName],
  ['Payment reference', payment.reference],
];

/** Sends a copy of a tax invoice to the address that an organisation named for invoices (P30). */
export async function queueAccountsCopy(
  trx: Db,
  { id, reference, title }: Pick<Enrolment, 'id' | 'reference' | 'title'>,
  { to, invoice, academy }: { to: string; invoice: Invoice; academy: MailAcademy },
): Promise<void> {
  await queueMail(trx, {
    kind: 'invoice-copy',
    about: { kind: 'enrolment', id },
    to,
    replyTo: academy.email,
    attachments: [invoiceFile(invoice)],
    ...invoiceCopy({
      reference,
      title,
      number: invoice.facts.number,
      total: formatMoney(invoice.facts.totalCents),
      due: moneyDue(await openOf(trx, id, invoice)),
      academy,
    }),
  });
}
