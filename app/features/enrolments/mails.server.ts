import type { Db } from '#app/db/client.server.ts';
import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { enrolmentPlaced } from '#app/emails/enrolment-placed.ts';
import { invoiceCopy } from '#app/emails/invoice-copy.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { type PlaceChange, placeChanged } from '#app/emails/place-changed.ts';
import { placeGiven } from '#app/emails/place-given.ts';
import { readAttending } from '#app/features/site/queries.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { Mail } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Circumstances } from './circumstances.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { makeLinkToken } from './links.server.ts';
import type { Issued } from './money/invoices.server.ts';
import { refundText } from './money/refund-ladder.ts';
import { enrolmentPath, placePath } from './paths.ts';
import { refundablePlace } from './refundable.ts';
import { courseInWords, moneyDue, placeEntry, readiness, withoutLink } from './words.ts';

/** One or several places of one enrolment that are taken in the same way. */
export type Places = readonly [Place, ...Place[]];
/** A document to attach, and the words about it. */
type Attached = NonNullable<Mail['attachments']>;

type Invoice = Issued<TaxInvoiceFacts>;

/**
 * Queues what is mailed when places were placed, all of an enrolment or those added to it: to the buyer with the tax invoice, to the accounts address a copy
 * of it, and to each attendee with an address of their own their place and nothing about money (P32). Whoever attends
 * gets a calendar part for each course with dates: one a mail, as RFC 6047 has it.
 */
export async function queuePlacedMails(
  trx: Db,
  enrolment: Enrolment,
  { places, invoice }: { places: readonly Place[]; invoice: Invoice | null },
  circumstances: Circumstances,
): Promise<void> {
  const { academy, at, now } = circumstances;
  const { id, reference, title, email, accountsEmail } = enrolment;
  const total = places.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const courses = groupsOf(places);
  const own = places.filter((place) => isBuyers(enrolment, place));
  const shown = own.find(hasDates);
  const attachments = invoice ? [invoiceFile(invoice)] : [];
  await queueMail(trx, {
    kind: 'enrolment-placed',
    to: email,
    replyTo: academy.email,
    secret: true,
    attachments,
    ...enrolmentPlaced({
      reference,
      title,
      courses: courses.map(courseInWords),
      total: formatMoney(total),
      discount: discountInWords(places),
      due: invoice
        ? moneyDue(places, invoice.facts)
        : 'Nothing is due yet. The tax invoice comes when the course has a date.',
      refunds: courses.map(([place]) => {
        const refund = refundText(refundablePlace(enrolment, place, { now, at }), now);
        return courses.length > 1 ? `${place.courseTitle}: ${refund}` : `For each place: ${refund}`;
      }),
      invoiced: invoice !== null,
      link: academy.url + enrolmentPath(await makeLinkToken(trx, id)),
      academy,
    }),
    ...(shown && calendarPart('REQUEST', enrolment, shown, email, circumstances)),
  });
  if (accountsEmail && invoice) await queueAccountsCopy(trx, enrolment, accountsEmail, invoice, academy);
  for (const place of places) {
    if (place !== shown) await queuePlaceGiven(trx, enrolment, place, circumstances);
  }
}

/** Tells an attendee with an address of their place; nobody when there is none. */
export async function queuePlaceGiven(
  trx: Db,
  enrolment: Enrolment,
  place: Place,
  circumstances: Circumstances,
): Promise<void> {
  const { academy } = circumstances;
  const { email } = place.attendee;
  if (email === null) return;
  // A buyer who attends has the other mail, unless it could not hold the entry of this course.
  if (isBuyers(enrolment, place) && !hasDates(place)) return;
  await queueMail(trx, {
    kind: 'place-given',
    to: email,
    replyTo: academy.email,
    secret: true,
    ...placeGiven({
      reference: enrolment.reference,
      course: courseInWords([place]),
      ready: readiness(place, await readAttending(trx)),
      link: await attendeeLink(trx, enrolment, place, academy),
      academy,
    }),
    ...(hasDates(place) && calendarPart('REQUEST', enrolment, place, email, circumstances)),
  });
}

/** What happened to places; `places` are as they are now, of a cancellation as they were. */
export type PlaceEvent = {
  change: PlaceChange;
  places: Places;
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
  'sold-again': null,
  dated: 'REQUEST',
  'session-confirmed': null,
  'session-cancelled': 'CANCEL',
  'session-moved': 'REQUEST',
  'session-changed': 'REQUEST',
  'way-in': 'REQUEST',
};

/** Tells the buyer, and each attendee with an address of their own, what happened to places (P31, P40). */
export async function queuePlaceMails(
  trx: Db,
  enrolment: Enrolment,
  { change, places, previously, news = [], money = [], attachments = [], buyerOnly = false }: PlaceEvent,
  circumstances: Circumstances,
): Promise<void> {
  const { academy } = circumstances;
  const { reference, email: buyer } = enrolment;
  const method = methods[change];
  const part = (place: Place | undefined, to: string) =>
    method && place && hasDates(place) ? calendarPart(method, enrolment, place, to, circumstances) : {};
  const common = { change, reference, previously: previously ?? null, news, academy };
  // Whoever is taken out of a class does not get its link.
  const inWords = (their: Places) => (method === 'CANCEL' ? withoutLink(courseInWords(their)) : courseInWords(their));
  await queueMail(trx, {
    kind: `place-${change}`,
    to: buyer,
    replyTo: academy.email,
    secret: true,
    attachments,
    ...placeChanged({
      ...common,
      course: inWords(places),
      money,
      link: academy.url + enrolmentPath(await makeLinkToken(trx, enrolment.id)),
    }),
    ...part(
      places.find((place) => isBuyers(enrolment, place)),
      buyer,
    ),
  });
  for (const place of buyerOnly ? [] : places) {
    const to = place.attendee.email;
    if (to === null || isBuyers(enrolment, place)) continue;
    await queueMail(trx, {
      kind: `place-${change}`,
      to,
      replyTo: academy.email,
      secret: true,
      ...placeChanged({
        ...common,
        course: inWords([place]),
        money: [],
        link: await attendeeLink(trx, enrolment, place, academy),
      }),
      ...part(place, to),
    });
  }
}

/** Takes a place out of the calendar of somebody who no longer attends. */
export async function queueAttendeeLeft(
  trx: Db,
  enrolment: Enrolment,
  place: Place,
  circumstances: Circumstances,
): Promise<void> {
  const { academy } = circumstances;
  const { email } = place.attendee;
  if (email === null || isBuyers(enrolment, place)) return;
  await queueMail(trx, {
    kind: 'place-cancelled',
    to: email,
    replyTo: academy.email,
    ...placeChanged({
      change: 'cancelled',
      reference: enrolment.reference,
      course: withoutLink(courseInWords([place])),
      previously: null,
      money: [],
      link: null,
      academy,
    }),
    ...(hasDates(place) && calendarPart('CANCEL', enrolment, place, email, circumstances)),
  });
}

/** The places that are active now, together where course, date and way are the same. */
export function groupsOf(places: readonly Place[]): Places[] {
  const active = places.filter(({ state }) => state === 'active');
  const groups = Map.groupBy(active, ({ courseId, way, session, guidedFrom }) =>
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

const isBuyers = ({ email }: Enrolment, { attendee }: Place) =>
  attendee.email !== null && mailboxOf(attendee.email) === mailboxOf(email);

async function attendeeLink(trx: Db, { id }: Enrolment, { attendee }: Place, academy: MailAcademy): Promise<string> {
  return academy.url + placePath(await makeLinkToken(trx, id, attendee.id));
}

function calendarPart(
  method: 'REQUEST' | 'CANCEL',
  enrolment: Enrolment,
  place: Place & { way: 'session' },
  attendee: string,
  { academy, at }: Circumstances,
): Pick<Mail, 'calendar'> {
  const content = dailyAppointmentFile(
    method,
    at,
    placeEntry(enrolment, place, { academy, attendee, leaving: method === 'CANCEL' }),
  );
  return { calendar: { method, content } };
}

function discountInWords(places: readonly Place[]): string | null {
  const cents = places.reduce((sum, { discountCents }) => sum + discountCents, 0);
  const why = places.find(({ discount }) => discount !== null)?.discount;
  return cents > 0 && why ? `${why}: ${formatMoney(cents)}` : null;
}

async function queueAccountsCopy(
  trx: Db,
  { reference, title }: Enrolment,
  to: string,
  invoice: Invoice,
  academy: MailAcademy,
): Promise<void> {
  await queueMail(trx, {
    kind: 'invoice-copy',
    to,
    replyTo: academy.email,
    attachments: [invoiceFile(invoice)],
    ...invoiceCopy({
      reference,
      title,
      number: invoice.facts.number,
      total: formatMoney(invoice.facts.totalCents),
      due: formatDay(invoice.facts.dueOn),
      academy,
    }),
  });
}
