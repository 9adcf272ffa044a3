import type { Db, Trx } from '#app/db/client.server.ts';
import { type EnrolmentRefunds, enrolmentPlaced } from '#app/emails/enrolment-placed.ts';
import { placeGiven } from '#app/emails/place-given.ts';
import { keepingRule } from '#app/features/money/keeping-rule.ts';
import { moneyDue } from '#app/features/money/open-invoice.ts';
import { refundRows } from '#app/features/money/refund-rows.ts';
import { refundText } from '#app/features/money/refund-text.ts';
import { readAttending } from '#app/features/site/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { calendarPart } from './calendar-part.server.ts';
import { type ChargeOf, readCharges } from './charges.server.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { type Invoice, invoiceFile, openOf, payFacts, queueAccountsCopy } from './invoice-mails.server.ts';
import { enrolmentLink, placeLink } from './links.server.ts';
import { type AlikePlaces, alike, groupsOf, hasDates, isBuyers } from './place-groups.ts';
import { refundablePlace } from './refundable.ts';
import { courseForAttendee, courseInWords, readiness } from './words.ts';

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
  const { academy, now, today } = moment;
  const { id, reference, title, email, accountsEmail, accountsConfirmed } = enrolment;
  const chargeOf = await readCharges(trx, id);
  const total = places.reduce((sum, place) => sum + chargeOf(place), 0);
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
      refunds: refundsInWords(enrolment, { courses: alike(places, chargeOf), chargeOf }, now),
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

/** The refunds and their days: rows for one course with a date, otherwise sentences (P40). */
function refundsInWords(
  enrolment: Enrolment,
  { courses, chargeOf }: { courses: readonly AlikePlaces[]; chargeOf: ChargeOf },
  now: Date,
): EnrolmentRefunds {
  const [first, ...others] = courses;
  const refundable = (place: Place) => refundablePlace(enrolment, place, { now, chargedCents: chargeOf(place) });
  const each = first && first.length > 1 ? ' for each place' : '';
  if (first?.[0].way === 'session' && others.length === 0) {
    const rows = refundRows(refundable(first[0]), now);
    return {
      rows: rows.map(({ word, day, cents, before }) => {
        const sum = cents === 0 ? 'Nothing' : `${formatMoney(cents)}${each}`;
        const more = before ? `, and ${formatMoney(before.cents)}${each} until ${before.until} that day` : '';
        return [`${word} ${day}`.trim(), sum + more];
      }),
    };
  }
  const text = courses.map(([place]) => {
    const refund = refundText(refundable(place), now);
    const priced = courses.filter((one) => one[0].courseId === place.courseId).length > 1;
    const price = priced ? `, at ${formatMoney(chargeOf(place))}` : '';
    if (others.length > 0) return `${place.courseTitle}${price}: ${refund}.`;
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

/** What the prices were lowered by: by the rule of a combo, and by staff, whose reason the adjustment note gives. */
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
