import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';

/** A tax invoice that is not fully paid (P39). Amounts in cents, GST included. */
export type OpenInvoice = {
  id: number;
  facts: TaxInvoiceFacts;
  /** The number of the first invoice for the same debt: one that replaces another is for the same. */
  debt: number;
  /** The due date printed on it. */
  printedDueOn: Day;
  /** The due date that applies, with instalments that of the first; null while no part is due. */
  dueOn: Day | null;
  openCents: Cents;
  /** The part that is due, or will be on `dueOn` or with a later instalment. */
  dueCents: Cents;
  /** The part of `dueCents` for active places. The program reminds buyers of this part only. */
  askedCents: Cents;
  /** For places in a course date that the academy cancelled, while their buyer chooses (P40). */
  choosingCents: Cents;
  /** One of its course dates is not confirmed yet. */
  undecided: boolean;
  /** The first day of the places it is for that are not cancelled, and were not moved to a date that is not confirmed. */
  firstDay: Day | null;
  /** The agreed instalments with something open, the first one first (P83); none without an agreement. */
  instalments: readonly OpenInstalment[];
};

/** An agreed instalment that is not fully paid. It is due on no day while a date of its invoice is not confirmed. */
type OpenInstalment = { id: number; dueOn: Day | null; openCents: Cents; dueCents: Cents; askedCents: Cents };

type Due = Pick<
  OpenInvoice,
  'openCents' | 'dueOn' | 'dueCents' | 'choosingCents' | 'printedDueOn' | 'undecided' | 'instalments'
>;

/**
 * Sentences about the open amounts of an invoice and their days; undefined means a paid invoice. Others of the same
 * enrolment may be open.
 */
export function moneyDue(invoice: Due | undefined): string {
  if (!invoice) return 'The invoice is paid.';
  const { openCents, dueOn, dueCents, printedDueOn, undecided } = invoice;
  const owed = `${formatMoney(openCents)} incl. GST`;
  const dues = duesOf(invoice);
  if (dues.length > 1) {
    const each = dues.map((one) => `${formatMoney(one.cents)} by ${formatDay(one.dueOn)}`).join(', ');
    return `Please pay ${formatMoney(dueCents)} incl. GST as agreed: ${each}.`;
  }
  if (dueOn !== null) return `Please pay ${formatMoney(dueCents)} incl. GST by ${formatDay(dueOn)}.`;
  if (!undecided) return `${owed} is on the invoice. You don’t pay for a cancelled date.`;
  return `${owed} will be due by ${formatDay(printedDueOn)}, but not before the date is confirmed. Until then nothing is due.`;
}

/** The amounts of an invoice by due day, in order: its instalments, and the amount due before them. */
export function duesOf({ instalments, dueOn, dueCents }: Pick<Due, 'instalments' | 'dueOn' | 'dueCents'>) {
  if (dueOn === null) return [];
  const later = instalments.flatMap((one) => (one.dueOn === null ? [] : [{ dueOn: one.dueOn, cents: one.dueCents }]));
  const before = dueCents - later.reduce((sum, { cents }) => sum + cents, 0);
  return before > 0 ? [{ dueOn, cents: before }, ...later] : later;
}

/**
 * The amount to pay first, of amounts by due day: all that is overdue or due today, or else the amount due on the first
 * day.
 */
function dueFirst(dues: ReturnType<typeof duesOf>, today: Day): { cents: Cents; dueOn: Day } | undefined {
  const [first] = dues.toSorted((a, b) => compareText(a.dueOn, b.dueOn));
  if (!first) return undefined;
  const until = first.dueOn < today ? today : first.dueOn;
  return { cents: sumOf(dues.flatMap(({ dueOn, cents }) => (dueOn <= until ? cents : []))), dueOn: first.dueOn };
}

/** The amount to pay next of an invoice: what is due first; the open amount while nothing is due. */
export function nextPayment(invoice: Pick<Due, 'instalments' | 'dueOn' | 'dueCents' | 'openCents'>, today: Day): Cents {
  return dueFirst(duesOf(invoice), today)?.cents ?? invoice.openCents;
}

/** All that is open is for a date that the academy cancelled, while its buyer chooses (P40). */
export const waitsForChoice = (open: readonly Pick<Due, 'openCents' | 'choosingCents'>[]): boolean =>
  open.length > 0 && open.every(({ openCents, choosingCents }) => openCents === choosingCents);

/** An amount that can be paid by card; `dueOn` when it is the part that is due first, null when it is everything. */
export type CardPayment = { cents: Cents; dueOn: Day | null };

/**
 * The amounts that a buyer can pay by card of a balance (P29): everything, and before it the part that is due first when
 * that is less, such as an instalment (P83), with all that is overdue. Nothing for a date that the academy cancelled, while
 * the buyer chooses (P40).
 */
export function cardPayments(
  balanceCents: Cents,
  open: readonly Pick<Due, 'instalments' | 'dueOn' | 'dueCents' | 'choosingCents'>[],
  today: Day,
): CardPayment[] {
  const all = balanceCents - sumOf(open.map(({ choosingCents }) => choosingCents));
  const first = dueFirst(open.flatMap(duesOf), today);
  const payments = [{ cents: all, dueOn: null }];
  return first && first.cents < all ? [first, ...payments] : payments;
}

const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, cents) => sum + cents, 0);

/** The same beside the number of the invoice, for lists: `AU$2,299 due by Monday 22 September 2025`. */
export function dueShort(invoice: Due, today: Day) {
  const { openCents, dueCents, choosingCents, printedDueOn, undecided } = invoice;
  const parts = duesOf(invoice).map(({ dueOn, cents }) =>
    dueOn < today
      ? `${formatMoney(cents)} was due on ${formatDay(dueOn)}`
      : `${formatMoney(cents)} is due by ${formatDay(dueOn)}`,
  );
  const later = openCents - dueCents - choosingCents;
  if (later > 0 && undecided) {
    parts.push(
      `nothing of ${formatMoney(later)} is due before the date is confirmed, or before ${formatDay(printedDueOn)}`,
    );
  }
  if (choosingCents > 0) {
    parts.push(`nothing of ${formatMoney(choosingCents)} is due: we cancelled the date, and the choice is open`);
  }
  return parts.join('; ');
}

/**
 * The amount owed beyond all invoices (P39): more money left than came in, as when a cardholder disputes a payment that
 * we had refunded already. No invoice is open for it.
 */
export const owedAgain = (balanceCents: Cents, open: readonly Pick<Due, 'openCents'>[]): Cents =>
  Math.max(0, balanceCents - sumOf(open.map(({ openCents }) => openCents)));

/** A sentence for buyers about `owedAgain`. */
export const owedAgainText = (cents: Cents) =>
  `${formatMoney(cents)} that we had refunded went back to you a second time, such as through your card’s bank, so you owe it again.`;

/**
 * Sentences about the money still owed on an enrolment after a change. `balanceCents` is below zero when the buyer has
 * paid too much.
 */
export function stillOwed(balanceCents: Cents, open: readonly (Due & { facts: { number: string } })[], today: Day) {
  if (balanceCents < 0) {
    return [`You have paid ${formatMoney(-balanceCents)} more than you owe. We’ll refund it to where it came from.`];
  }
  if (balanceCents === 0) return ['You owe nothing more.'];
  const again = owedAgain(balanceCents, open);
  return [
    `${formatMoney(balanceCents)} incl. GST is still to pay.`,
    ...open.map((invoice) => `Tax invoice ${invoice.facts.number}: ${dueShort(invoice, today)}.`),
    ...(again > 0 ? [owedAgainText(again)] : []),
  ];
}
