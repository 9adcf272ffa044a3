import type { Db } from '#app/db/client.server.ts';
import { type EnrolmentRefunds, enrolmentPlaced } from '#app/emails/enrolment-placed.ts';
import { placeGiven } from '#app/emails/place-given.ts';
import { keepingRule } from '#app/features/money/keeping-rule.ts';
import { moneyDue } from '#app/features/money/open-invoice.ts';
import { refundText } from '#app/features/money/refund-ladder.ts';
import { refundRows } from '#app/features/money/refund-rows.ts';
import { readAttending } from '#app/features/site/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { calendarPart } from './calendar-part.server.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { type Invoice, invoiceFile, openOf, payFacts, queueAccountsCopy } from './invoice-mails.server.ts';
import { enrolmentLink, placeLink } from './links.server.ts';
import { type AlikePlaces, groupsOf, hasDates, isBuyers } from './place-groups.ts';
import { refundablePlace } from './refundable.ts';
import { courseForAttendee, courseInWords, readiness } from './words.ts';

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
  const { academy, now, today } = moment;
  const { id, reference, title, email, accountsEmail, accountsConfirmed } = enrolment;
  const total = places.reduce((sum, { amountCents }) => sum + amountCents, 0);
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
      discount: discountInWords(places),
      due: invoice ? moneyDue(open) : 'Nothing is due yet. We’ll email your tax invoice when the course has a date.',
      pay: payFacts(open, today),
      places: places.length,
      refunds: refundsInWords(enrolment, courses, now),
      invoiced: invoice !== null,
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

/** The refunds and their days: rows for one course with a date, otherwise sentences (P40). */
function refundsInWords(enrolment: Enrolment, courses: readonly AlikePlaces[], now: Date): EnrolmentRefunds {
  const [first, ...others] = courses;
  const each = first && first.length > 1 ? ' for each place' : '';
  if (first?.[0].way === 'session' && others.length === 0) {
    const rows = refundRows(refundablePlace(enrolment, first[0], { now }), now);
    return {
      rows: rows.map(({ word, day, cents, before }) => {
        const sum = cents === 0 ? 'Nothing' : `${formatMoney(cents)}${each}`;
        const more = before ? `, and ${formatMoney(before.cents)}${each} until ${before.until} that day` : '';
        return [`${word} ${day}`.trim(), sum + more];
      }),
    };
  }
  const text = courses.map(([place]) => {
    const refund = refundText(refundablePlace(enrolment, place, { now }), now);
    if (others.length > 0) return `${place.courseTitle}: ${refund}.`;
    return each ? `For each place: ${refund}.` : `${refund.charAt(0).toUpperCase()}${refund.slice(1)}.`;
  });
  return { text: [...text, ...keepingInWords(enrolment, courses)] };
}

/** The price of each course of a combo for an attendee who keeps only some of them (P40). */
function keepingInWords({ ladder }: Enrolment, courses: readonly AlikePlaces[]): string[] {
  const discounted = courses.flatMap(([place]) => (place.discountCents > 0 ? [place] : []));
  if (!ladder.repricesKept || discounted.length < 2) return [];
  return [
    keepingRule,
    ...discounted.map(({ courseTitle, priceCents }) => `${courseTitle} on its own: ${formatMoney(priceCents)}`),
  ];
}

function discountInWords(places: readonly Place[]): string | null {
  const cents = places.reduce((sum, { discountCents }) => sum + discountCents, 0);
  const why = places.find(({ discount }) => discount !== null)?.discount;
  return cents > 0 && why ? `${why}: ${formatMoney(cents)}` : null;
}
