import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { type CourseInWords, howToJoin } from '#app/emails/enrolments.ts';
import { type Enrolment, hasDates, isBuyers, type Place } from '#app/features/enrolments/enrolment.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { type Charged, purchasesOf, refundable } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { courseInWords, placeLinks } from '#app/features/enrolments/words.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { moneyDue, nextPayment, type OpenInvoice } from '#app/features/money/open-invoice.ts';
import { refundSteps } from '#app/features/money/refund.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import type { CalendarLinks } from '#app/lib/calendar-links.ts';
import { academyToday } from '#app/lib/clock.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { formatTime, zoneAbbreviation } from '#app/lib/wall-clock.ts';
import { findDraft, placedToken } from './drafts.server.ts';

export type PlacedPage = {
  reference: string;
  title: string;
  email: string;
  accountsEmail: string | null;
  /** Whether that address agreed to get the invoices. */
  accountsConfirmed: boolean;
  /** The amounts of the tax invoices by due day; null when nothing was invoiced yet. */
  due: { words: string[] } | null;
  /** How to pay the amount that is due first; null when nothing can be paid by transfer now. */
  pay: { payment: TaxInvoiceFacts['payment']; amountCents: Cents; by: string | null; invoice: string } | null;
  next: NextDay[];
  /** How many attendees are still to be named. */
  unnamed: number;
  /** The course whose treasure is shown. */
  courseSlug: string;
  /** The amount to be invoiced once courses have a date, in cents. */
  laterCents: Cents;
  /**
   * `calendar` is the place whose entry the buyer keeps: their own, or of somebody whose mail goes to the buyer. Other
   * attendees get theirs by email.
   */
  courses: (CourseInWords & { dated: boolean; calendar: number | null; links: CalendarLinks | null })[];
  /** The token of the buyer's link; null for somebody else who can open the draft. */
  link: string | null;
};

/** The enrolment of a draft; null for an unknown draft or one that was not placed. */
export async function findPlaced({ db, clock, forms }: Academy, token: string): Promise<PlacedPage | null> {
  const draft = await findDraft(db, token);
  if (!draft || draft.enrolmentId === null) return null;
  const enrolment = await readEnrolment(db, draft.enrolmentId);
  const link = placedToken(forms.secret, token);
  const found = await findLink(db, link);
  const own = found?.enrolmentId === enrolment.id && found.attendeeId === null;
  const invoice = await db
    .selectFrom('tax_invoices')
    .select('id')
    .where('enrolment_id', '=', enrolment.id)
    .orderBy('number')
    .executeTakeFirst();
  const open = await openInvoices(db, enrolment.id);
  const [first] = open;
  const { reference, title, email, accountsEmail, accountsConfirmed } = enrolment;
  // A place that was moved is followed by the one it is now.
  const taken = enrolment.places.filter(({ state }) => state !== 'cancelled');
  const places = taken.length > 0 ? taken : enrolment.places.filter(({ cancelledWhy }) => cancelledWhy !== 'transfer');
  const sumOf = (some: readonly Place[]) => some.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return {
    reference,
    title,
    email,
    accountsEmail,
    accountsConfirmed,
    due: invoice ? { words: open.length > 0 ? open.map(dueWords) : ['The invoice is paid. You owe nothing.'] } : null,
    pay: first
      ? {
          payment: first.facts.payment,
          amountCents: nextPayment(first, academyToday(clock)),
          by: first.dueOn && formatDay(first.dueOn),
          invoice: first.facts.number,
        }
      : null,
    next: nextDays(enrolment, places, {
      now: clock.now(),
      today: academyToday(clock),
      dueOn: first?.dueOn ?? null,
      charged: await chargedFor(db, enrolment.id),
    }),
    unnamed: new Set(places.flatMap(({ attendee }) => (attendee.name === null ? [attendee.id] : []))).size,
    courseSlug: places[0]?.courseSlug ?? '',
    laterCents: sumOf(places.filter(({ way }) => way === 'next-date')),
    courses: [
      ...Map.groupBy(places, ({ courseId, courseDate, guidedFrom }) =>
        [courseId, courseDate?.id, guidedFrom].join(),
      ).values(),
    ].flatMap(([first, ...others]) =>
      first
        ? [
            {
              ...courseInWords([first, ...others]),
              dated: hasDates(first),
              links: placeLinks(first),
              calendar: hasDates(first) ? (keptByBuyer(enrolment, [first, ...others])?.id ?? null) : null,
            },
          ]
        : [],
    ),
    link: own ? link : null,
  };
}

/** The amounts by due day, with a note for a date that is not confirmed yet (P39). */
const dueWords = (open: OpenInvoice): string =>
  open.undecided && open.dueOn === null
    ? `We email you when we have confirmed it. Then ${formatMoney(open.openCents)} incl. GST is due, and not before ${formatDay(open.printedDueOn)}.`
    : moneyDue(open);

const keptByBuyer = (enrolment: Pick<Enrolment, 'email'>, places: readonly Place[]) =>
  places.find((place) => isBuyers(enrolment, place)) ?? places.find(({ attendee }) => attendee.email === null);

/** A day on which something happens after one has enrolled. */
type NextDay = { when: string; what: string[] };

type Now = Pick<Moment, 'now' | 'today'> & {
  /** The due day; null while nothing is due. */
  dueOn: Day | null;
  charged: Charged;
};

/**
 * The next steps, day by day (P31, P39, P40): today's mails, the day of decision, the due day of the invoice, the
 * refunds by day, and the first day.
 */
function nextDays(enrolment: Enrolment, places: readonly Place[], { now, today, dueOn, charged }: Now): NextDay[] {
  const days: { day: Day; what: string; when?: string }[] = [];
  if (places.some(({ attendee }) => attendee.email !== null && attendee.email !== enrolment.email)) {
    days.push({
      day: today,
      what: 'We email everyone whose address you gave us the dates and their own link, without prices.',
    });
  }
  if (dueOn !== null) days.push({ day: dueOn, what: 'The invoice is due. We’ll email you when your payment arrives.' });
  const several = new Set(places.map(({ courseId }) => courseId)).size > 1;
  const groups = Map.groupBy(places, ({ courseId, courseDate, guidedFrom }) =>
    [courseId, courseDate?.id, guidedFrom].join(),
  ).values();
  for (const [place] of groups) {
    if (!place) continue;
    const of = several ? ` of ${place.courseTitle}` : '';
    if (place.way === 'guided') {
      days.push({ day: place.guidedFrom, what: `Guided study${of} begins.` });
      days.push({ day: accessEndsOn(place.guidedFrom), what: `Last day of access to the modules${of}.` });
    }
    if (place.way !== 'date') continue;
    const { startsOn, startsAt, zone, instructor, state, decidedBy } = place.courseDate;
    if (state === 'tentative' && decidedBy !== null)
      days.push({
        day: decidedBy,
        what: `We decide by this day whether the date${of} goes ahead, and email you. Until then nothing is due.`,
      });
    days.push({
      day: startsOn,
      when: `${formatDay(startsOn)}, ${formatTime(startsAt)} ${zoneAbbreviation(zone, startsOn)}`,
      what: `First day${of}, with ${instructor}.`,
    });
    days.push({ day: startsOn, what: howToJoin });
  }
  const bought = purchasesOf(enrolment, today).map((one) => refundable(one, { charged, today }));
  const each = bought.length > 1 ? ' each' : '';
  // Guided study alone gives back by modules and not by days.
  const byDays = bought.filter(({ combo, courses }) => combo || courses[0]?.study.way === 'date');
  for (const { lastDay, cents } of byDays.flatMap((one) => refundSteps(one, now))) {
    if (lastDay === null || cents === 0) continue;
    days.push({ day: lastDay, what: `Last day to cancel for ${formatMoney(cents)}${each} back.` });
  }
  const byDay = Map.groupBy(
    days.toSorted((a, b) => compareText(a.day, b.day)),
    ({ day }) => day,
  );
  return [...byDay].map(([day, all]) => ({
    when: day === today ? 'Today' : (all.find(({ when }) => when)?.when ?? formatDay(day)),
    what: [...new Set(all.map(({ what }) => what))],
  }));
}
