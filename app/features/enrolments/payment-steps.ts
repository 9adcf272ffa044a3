import type { OpenInvoice } from '#app/features/money/open-invoice.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** The days of the reminders of an unpaid invoice, counted from its due date. */
export const steps = [-3, 3, 10] as const;
/** The program sends no reminders more than this many days after the due date: staff see the invoice in their list. */
export const lastDays = 30;

/** The part of an invoice that is due on one day: all of it, or an instalment. Amounts in cents. */
export type DueNow = { invoice: OpenInvoice; instalmentId: number | null; dueOn: Day | null; cents: number };

/** The instalments, and the amount due before them; `of` says whether amounts for cancelled places count. */
export function duesOfInvoice(invoice: OpenInvoice, of: 'due' | 'asked'): DueNow[] {
  const centsOf = (part: { dueCents: number; askedCents: number }) => (of === 'due' ? part.dueCents : part.askedCents);
  const instalments = invoice.instalments.map((one) => ({
    invoice,
    instalmentId: one.id,
    dueOn: one.dueOn,
    cents: centsOf(one),
  }));
  const whole = centsOf(invoice) - instalments.reduce((sum, { cents }) => sum + cents, 0);
  const rest = { invoice, instalmentId: null, dueOn: invoice.dueOn, cents: whole };
  return [rest, ...instalments].filter(({ cents }) => cents > 0);
}

/** The reminders of a day: for invoices, and for instalments that are due soon. */
export function duesToAsk(open: readonly OpenInvoice[], today: Day): DueNow[] {
  return open
    .flatMap((invoice) => duesOfInvoice(invoice, 'asked'))
    .filter(({ invoice: { firstDay, instalments }, instalmentId, dueOn }) => {
      if (instalmentId === null && instalments.length === 0) return firstDay === null || firstDay > today;
      return dueOn !== null && today >= addDays(dueOn, steps[0]);
    });
}

/** The last step that something due has reached; null before the first, and when it is too late for any. */
export function stepOf({ dueOn }: Pick<DueNow, 'dueOn'>, today: Day): (typeof steps)[number] | null {
  if (dueOn === null || today > addDays(dueOn, lastDays)) return null;
  return steps.findLast((days) => today >= addDays(dueOn, days)) ?? null;
}

/** The next day after today on which the program reminds of something that is open now; null when there is none. */
export function nextReminderOn(open: readonly OpenInvoice[], today: Day): Day | null {
  const daysOf = ({ dueOn }: DueNow) => (dueOn === null ? [] : steps.map((step) => addDays(dueOn, step)));
  const days = open.flatMap((invoice) => duesOfInvoice(invoice, 'asked')).flatMap(daysOf);
  return (
    days
      .filter((day) => day > today)
      .toSorted()
      .find((day) => duesToAsk(open, day).some((due) => daysOf(due).includes(day))) ?? null
  );
}
