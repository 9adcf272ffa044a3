import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { CourseInWords } from '#app/emails/enrolment-placed.ts';
import { findDraft, placedToken } from '#app/features/enrolling/drafts.server.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { hasDates, isBuyers } from '#app/features/enrolments/place-groups.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { courseInWords } from '#app/features/enrolments/words.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { moneyDue, nextPayment, type OpenInvoice } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { type NextDay, nextDays } from './next-days.ts';

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
  courses: (CourseInWords & { dated: boolean; calendar: number | null })[];
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
