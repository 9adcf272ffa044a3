import { href } from 'react-router';
import { groupsOf } from '#app/features/enrolments/enrolment.ts';
import { modulesCount } from '#app/features/enrolments/modules.ts';
import { placeWhen } from '#app/features/enrolments/words.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { owedAgain } from '#app/features/money/open-invoice.ts';
import type { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { formatCents, formatExact } from '#app/lib/exact-money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { formatMoment, shortDay } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { dueRows, ledgerOf, paidOf } from './ledger.ts';

type Whole = NonNullable<Awaited<ReturnType<typeof readEnrolmentForStaff>>>;
type Place = Whole['enrolment']['places'][number];

const ends: Record<string, string> = {
  buyer: 'Cancelled by the buyer',
  staff: 'Cancelled by staff',
  courseDate: 'Refunded: we cancelled or moved its date',
  transfer: 'Moved to another date',
};
const methods: Record<string, string> = { bank: 'Bank transfer', card: 'Card', other: 'Other' };

function stateOf(place: Place): string {
  const { state, cancelledWhy, chooseBy, way, courseDate, guidedFrom } = place;
  if (state === 'cancelled') return ends[cancelledWhy ?? ''] ?? 'Cancelled';
  if (guidedFrom !== null) {
    const count = modulesCount(place);
    return state === 'completed'
      ? `Completed: access ended on ${formatDay(accessEndsOn(guidedFrom))}, ${count}`
      : `Active, ${count}`;
  }
  if (state === 'completed') return 'Completed';
  if (chooseBy && courseDate?.state === 'cancelled')
    return `The buyer can choose until ${formatDay(chooseBy)}, then it is refunded`;
  if (chooseBy) return `The buyer can choose until ${formatDay(chooseBy)}, otherwise the place stays`;
  if (way === 'next-date') return 'Waits for a date';
  return courseDate?.state === 'tentative' ? 'Active, not confirmed yet' : 'Active';
}

const copiesTo = ({ accountsEmail, accountsConfirmed }: Whole['enrolment']) =>
  accountsConfirmed
    ? `${accountsEmail}`
    : `${accountsEmail}, not confirmed yet, so we send nothing there. Open "Correct the buyer" and save to confirm it`;

const paidInWords = ({ chargedCents, paidCents } = { chargedCents: 0, paidCents: 0 }) =>
  chargedCents === 0
    ? null
    : paidCents === chargedCents
      ? 'paid'
      : paidCents === 0
        ? 'owed'
        : `${formatExact(paidCents)} of it paid`;

/** The first due day, and whether it is over; null while nothing is due. */
function dueBy({ open, today, balanceCents }: Whole): { text: string; late: boolean } | null {
  const [first] = dueRows(open, today, 0);
  if (!first?.day) return owedAgain(balanceCents, open) > 0 ? { text: 'again, on no invoice', late: true } : null;
  return { text: `${first.late ? 'since' : 'by'} ${formatDay(first.day)}`, late: first.late };
}

/** `Mon 15 Dec 2025`. */
const dayWithYear = (day: Day) => `${shortDay(day)} ${day.slice(0, 4)}`;

/** Buyers read that we email them. */
const whenForStaff = (place: Place) => (place.way === 'next-date' ? 'waits for its next date' : placeWhen(place));

/** The days and where, without the times of a course date. */
const daysOf = (place: Place) =>
  place.courseDate
    ? `${taughtText({ delivery: place.courseDate.delivery, venue: place.courseDate.venue })}, ${formatDays(place.courseDate.startsOn, place.courseDate.endsOn)}`
    : whenForStaff(place);

/** Each course with its date once, with the address of the date. */
function coursesInWords(active: readonly Place[]) {
  return groupsOf(active).map(([place]) => ({
    key: place.id,
    text: `${place.courseTitle}, ${daysOf(place)}`,
    to: place.courseDate ? href('/staff/course-dates/:slug', { slug: place.courseDate.slug }) : null,
  }));
}

/** An enrolment as its page for staff shows it: everything in words. */
export function shownEnrolment(whole: Whole) {
  const { enrolment, balanceCents } = whole;
  const paid = paidOf(whole.charges, whole.open);
  const opened = new Map(whole.openings.map((one) => [`${one.what} ${one.attendee_id}`, one.opened_at]));
  const active = enrolment.places.filter(({ state }) => state === 'active');
  const facts: [string, string][] = [
    ['Name', enrolment.buyerName],
    ['Email', enrolment.email],
    ['Phone', shownPhone(enrolment.phone) || 'not given'],
    ['Who pays', enrolment.organisation ?? 'the person'],
    ...(enrolment.abn ? [['ABN', formatAbn(enrolment.abn)] as [string, string]] : []),
    ...(enrolment.address ? [['Address', enrolment.address] as [string, string]] : []),
    ...(enrolment.purchaseOrder ? [['Purchase order', enrolment.purchaseOrder] as [string, string]] : []),
    ...(enrolment.accountsEmail ? [['Copy of invoices to', copiesTo(enrolment)] as [string, string]] : []),
  ];
  return {
    reference: enrolment.reference,
    title: enrolment.title,
    buyer: showControlCharacters(
      enrolment.organisation ? `${enrolment.buyerName}, ${enrolment.organisation}` : enrolment.buyerName,
    ),
    placed: `${formatMoment(enrolment.placedAt)}${whole.placedBy ? `, placed by ${whole.placedBy}` : ''}`,
    termsId: String(enrolment.termsId),
    facts: facts.map(([label, text]) => [label, showControlCharacters(text)] as const),
    balanceCents,
    owed: formatExact(Math.abs(balanceCents)),
    dueBy: balanceCents > 0 ? dueBy(whole) : null,
    people: new Set(active.map(({ attendee }) => attendee.id)).size,
    unnamed: new Set(active.flatMap(({ attendee }) => (attendee.name === null ? [attendee.id] : []))).size,
    courses: coursesInWords(active),
    others: whole.others,
    email: enrolment.email,
    purchaseOrder: showControlCharacters(enrolment.purchaseOrder ?? ''),
    today: whole.today,
    ledger: ledgerOf(whole.documents, whole.payments).map(({ cents, owedAfterCents, day, what, ...row }) => ({
      ...row,
      day: dayWithYear(day),
      what: showControlCharacters(what),
      amount: formatCents(cents),
      owedAfter: formatCents(owedAfterCents),
    })),
    dues: dueRows(whole.open, whole.today, owedAgain(balanceCents, whole.open)).map(({ day, cents, ...row }) => ({
      ...row,
      day: day && dayWithYear(day),
      amount: formatCents(cents),
    })),
    invoices: whole.documents.flatMap(({ kind, id, facts: { number } }) =>
      kind === 'tax-invoice' ? [{ id, number }] : [],
    ),
    openInvoices: whole.open.map(({ id, facts: { number } }) => ({ id: String(id), number })),
    seesNeeds: whole.seesNeeds,
    canRemind: whole.open.some(({ dueCents }) => dueCents > 0),
    places: enrolment.places.map((place) => ({
      id: place.id,
      attendeeId: place.attendee.id,
      who: showControlCharacters(place.attendee.name ?? 'To be named'),
      email: showControlCharacters(place.attendee.email ?? ''),
      notes: [
        place.attendee.needs && `Needs: ${showControlCharacters(place.attendee.needs)}`,
        place.attendee.under18 && `Under 18, guardian ${showControlCharacters(place.attendee.guardianName ?? '')}`,
      ].filter((note) => typeof note === 'string'),
      course: place.courseTitle,
      courseId: place.courseId,
      when: whenForStaff(place),
      days: daysOf(place),
      courseDate: place.courseDate?.slug ?? null,
      dated: place.way === 'date',
      undated: place.way === 'next-date',
      amount: formatExact(place.amountCents),
      price: formatExact(paid.get(place.id)?.chargedCents || place.amountCents),
      chargedCents: paid.get(place.id)?.chargedCents ?? 0,
      paid: paidInWords(paid.get(place.id)),
      opened: opened.get(`page ${place.attendee.id}`)
        ? `opened their page on ${formatMoment(opened.get(`page ${place.attendee.id}`) as Date)}`
        : null,
      unnamed: place.attendee.name === null,
      discount: place.discount,
      state: stateOf(place),
      active: place.state === 'active',
      cancelled: place.state === 'cancelled',
    })),
    payments: whole.payments.map((payment) => ({
      id: payment.id,
      amount: formatExact(payment.amount_cents),
      left: formatExact(payment.leftCents),
      leftCents: payment.leftCents,
      what: `${methods[payment.method] ?? payment.method}, ${formatDay(payment.received_on)}`,
      words: showControlCharacters(payment.words ?? ''),
      by: `Recorded by ${payment.by ?? 'the program'}, ${formatMoment(payment.recorded_at)}`,
      refunds: payment.refunds.map((refund) => ({
        id: refund.id,
        // Only Stripe can say that a refund by Stripe failed.
        canFail: refund.state === 'sent' && !payment.byStripe,
        what: `${formatExact(refund.amount_cents)} ${refund.state === 'sent' ? 'refunded' : 'refund failed'}: ${showControlCharacters(refund.reason)}`,
        by: `${refund.by ?? 'The program'}, ${formatMoment(refund.recorded_at)}`,
      })),
    })),
  };
}
export type ShownEnrolment = ReturnType<typeof shownEnrolment>;
