import { placeWhen } from '#app/features/enrolments/words.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { dueShort } from '#app/features/money/open-invoice.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { modulesCount } from '#app/routes/links/enrolment/modules.ts';
import type { readEnrolmentForStaff } from './enrolment-page.server.ts';

type Whole = NonNullable<Awaited<ReturnType<typeof readEnrolmentForStaff>>>;
type Place = Whole['enrolment']['places'][number];

const ends: Record<string, string> = {
  buyer: 'Cancelled by the buyer',
  staff: 'Cancelled by staff',
  session: 'Cancelled with its session',
  transfer: 'Moved to another date',
  lapsed: 'Refunded: no choice was made in time',
};
const methods: Record<string, string> = { bank: 'Bank transfer', card: 'Card', other: 'Other' };
const mailStates: Record<string, string> = { queued: 'On its way', sent: 'Sent', failed: 'Failed', dropped: 'Dropped' };

function stateOf(place: Place): string {
  const { state, cancelledWhy, chooseBy, way, session, guidedFrom } = place;
  if (state === 'cancelled') return ends[cancelledWhy ?? ''] ?? 'Cancelled';
  if (guidedFrom !== null) {
    const count = modulesCount(place);
    return state === 'completed'
      ? `Completed: access ended on ${formatDay(accessEndsOn(guidedFrom))}, ${count}`
      : `Active, ${count}`;
  }
  if (state === 'completed') return 'Completed';
  if (chooseBy && session?.state === 'cancelled')
    return `The buyer can choose until ${formatDay(chooseBy)}, then it is refunded`;
  if (chooseBy) return `The buyer can choose until ${formatDay(chooseBy)}, otherwise the place stays`;
  if (way === 'next-date') return 'Waits for a date';
  return session?.state === 'tentative' ? 'Active, not confirmed yet' : 'Active';
}

const copiesTo = ({ accountsEmail, accountsConfirmed }: Whole['enrolment']) =>
  accountsConfirmed
    ? `${accountsEmail}`
    : `${accountsEmail}, not confirmed yet, so we send nothing there. Open "Correct the buyer" and save to confirm it`;

/** An enrolment as its page for staff shows it: everything in words. */
export function shownEnrolment(whole: Whole) {
  const { enrolment, account, balanceCents, refunds } = whole;
  const back = new Map(refunds.map(({ placeId, cents }) => [placeId, cents]));
  const facts: [string, string][] = [
    ['Email', enrolment.email],
    ['Phone', enrolment.phone ?? 'not given'],
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
    terms: { id: String(enrolment.terms.id), from: formatDay(enrolment.terms.inForceFrom) },
    facts: facts.map(([label, text]) => [label, showControlCharacters(text)] as const),
    balanceCents,
    sums: [
      ['Invoiced', formatMoney(account.invoicedCents)],
      ['Credited', formatMoney(account.creditedCents)],
      ['Paid', formatMoney(account.paidCents)],
      ['Refunded', formatMoney(account.refundedCents)],
      balanceCents < 0 ? ['To refund', formatMoney(-balanceCents)] : ['Owed', formatMoney(balanceCents)],
    ] as [string, string][],
    due: balanceCents > 0 ? whole.open.map((one) => `${one.facts.number}: ${dueShort(one, whole.today)}.`) : [],
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
      when: placeWhen(place),
      session: place.session?.slug ?? null,
      dated: place.way === 'session',
      undated: place.way === 'next-date',
      amount: formatMoney(place.amountCents),
      discount:
        place.discount && place.withdrawnCents > 0
          ? `${place.discount}, less ${formatMoney(place.withdrawnCents)} because other courses were cancelled`
          : place.discount,
      state: stateOf(place),
      active: place.state === 'active',
      cancelled: place.state === 'cancelled',
      backCents: back.get(place.id) ?? 0,
    })),
    documents: whole.documents.map(({ kind, id, facts: { number, issuedOn, totalCents } }) => ({
      kind,
      id: String(id),
      number,
      what: `${kind === 'tax-invoice' ? 'Tax invoice' : 'Adjustment note'} of ${formatDay(issuedOn)}`,
      amount: `${kind === 'tax-invoice' ? '' : '−'}${formatMoney(totalCents)}`,
    })),
    payments: whole.payments.map((payment) => ({
      id: payment.id,
      amount: formatMoney(payment.amount_cents),
      left: formatMoney(payment.leftCents),
      leftCents: payment.leftCents,
      what: `${methods[payment.method] ?? payment.method}, ${formatDay(payment.received_on)}`,
      words: showControlCharacters(payment.words ?? ''),
      by: `Recorded by ${payment.by ?? 'the program'}, ${formatMoment(payment.recorded_at)}`,
      refunds: payment.refunds.map((refund) => ({
        id: refund.id,
        // Only Stripe can say that a refund by Stripe failed.
        canFail: refund.state === 'sent' && !payment.byStripe,
        what: `${formatMoney(refund.amount_cents)} ${refund.state === 'sent' ? 'refunded' : 'refund failed'}: ${showControlCharacters(refund.reason)}`,
        by: `${refund.by ?? 'The program'}, ${formatMoment(refund.recorded_at)}`,
      })),
    })),
    mails: whole.mails.map((mail) => ({
      id: mail.id,
      at: formatMoment(mail.queued_at),
      to: showControlCharacters(mail.recipient),
      subject: showControlCharacters(mail.subject),
      became: mailStates[mail.state] ?? mail.state,
      failed: mail.state === 'failed',
    })),
  };
}
export type ShownEnrolment = ReturnType<typeof shownEnrolment>;
