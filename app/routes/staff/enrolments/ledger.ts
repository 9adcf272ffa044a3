import { href } from 'react-router';
import type { MoneyDocument } from '#app/features/money/accounts.server.ts';
import type { Charge } from '#app/features/money/adjustment-notes.server.ts';
import { duesOf, type OpenInvoice } from '#app/features/money/open-invoice.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';

type Payment = {
  id: number;
  amount_cents: Cents;
  received_on: Day;
  method: string;
  words: string | null;
  refunds: readonly { id: number; amount_cents: Cents; state: string; reason: string; sent_on: Day }[];
};

/** A row of the ledger; above zero is charged or sent back, below zero is credited or paid. In cents. */
export type LedgerRow = {
  key: string;
  day: Day;
  what: string;
  link: { text: string; to: string; file: boolean } | null;
  cents: Cents;
  owedAfterCents: Cents;
};

/**
 * Invoices, adjustment notes, payments and refunds of an enrolment by day, with what is owed after each; documents
 * stand before money of the same day. The last is the balance (P39). A refund that failed was never sent back.
 */
export function ledgerOf(documents: readonly MoneyDocument[], payments: readonly Payment[]): LedgerRow[] {
  const rows = [
    ...documents.map(({ kind, id, facts }) => ({
      key: `${kind}-${id}`,
      day: facts.issuedOn,
      order: 0,
      what: kind === 'tax-invoice' ? placesInWords(facts) : `Adjustment note: ${facts.reason}`,
      link: { text: facts.number, to: href('/staff/documents/:kind/:id', { kind, id: String(id) }), file: true },
      cents: kind === 'tax-invoice' ? facts.totalCents : -facts.totalCents,
    })),
    ...payments.flatMap((payment) => [
      {
        key: `payment-${payment.id}`,
        day: payment.received_on,
        order: 1,
        what: payment.words
          ? `${methods[payment.method] ?? 'Payment'} “${payment.words}”`
          : (methods[payment.method] ?? 'Payment'),
        link: {
          text: `Payment ${payment.id}`,
          to: href('/staff/payments/:id', { id: String(payment.id) }),
          file: false,
        },
        cents: -payment.amount_cents,
      },
      ...payment.refunds
        .filter(({ state }) => state === 'sent')
        .map((refund) => ({
          key: `refund-${refund.id}`,
          day: refund.sent_on,
          order: 2,
          what: `Refund: ${refund.reason}`,
          link: null,
          cents: refund.amount_cents,
        })),
    ]),
  ].toSorted((a, b) => compareText(a.day, b.day) || a.order - b.order);
  let owedAfterCents = 0;
  return rows.map(({ order: _, ...row }) => {
    owedAfterCents += row.cents;
    return { ...row, owedAfterCents };
  });
}

const methods: Record<string, string> = { bank: 'Transfer', card: 'Card', other: 'Payment' };

/** `3 places at 5,499.00, GST of 1,499.73 in it`. */
function placesInWords({ lines, gstCents }: { lines: readonly { amountCents: Cents }[]; gstCents: Cents }): string {
  const [first] = lines;
  const isOnePrice = first && lines.every(({ amountCents }) => amountCents === first.amountCents);
  const count = lines.length === 1 ? '1 place' : `${lines.length} places`;
  return `${count}${isOnePrice && lines.length > 1 ? ` at ${formatCents(first.amountCents)}` : ''}, GST of ${formatCents(gstCents)} in it`;
}

/** The amount due on a day, and why on that day. */
export type DueRow = { key: string; day: Day | null; why: string; cents: Cents; late: boolean };

/** The amounts of open invoices by due day; amounts that wait for a decision are last. */
export function dueRows(open: readonly OpenInvoice[], today: Day, againCents: Cents): DueRow[] {
  const several = open.length > 1;
  const dated = open.flatMap((invoice) =>
    duesOf(invoice).map(({ dueOn, cents }, at) => ({
      key: `${invoice.id}-${at}`,
      day: dueOn,
      why: `Due, ${reasonOf(invoice, dueOn)}${several ? ` (${invoice.facts.number})` : ''}`,
      cents,
      late: dueOn < today,
    })),
  );
  const waiting = open.flatMap(({ id, openCents, dueCents, choosingCents, undecided }): DueRow[] => [
    ...(openCents - dueCents - choosingCents > 0
      ? [
          {
            key: `${id}-waits`,
            day: null,
            why: undecided ? 'Not due before the course date is confirmed' : 'Not due yet',
            cents: openCents - dueCents - choosingCents,
            late: false,
          },
        ]
      : []),
    ...(choosingCents > 0
      ? [
          {
            key: `${id}-chooses`,
            day: null,
            why: 'Not due: we cancelled the date, the buyer chooses',
            cents: choosingCents,
            late: false,
          },
        ]
      : []),
  ]);
  const why = 'Owed again, on no invoice: more went back than came in';
  const again = againCents > 0 ? [{ key: 'again', day: null, why, cents: againCents, late: false }] : [];
  return [...dated.toSorted((a, b) => compareText(a.day, b.day)), ...waiting, ...again];
}

/** Why an invoice is due on a day (P39, P83). */
function reasonOf({ instalments, printedDueOn, facts }: OpenInvoice, dueOn: Day): string {
  if (instalments.some((one) => one.dueOn === dueOn)) return 'an instalment that was agreed';
  if (dueOn > printedDueOn) return 'the day the course date was confirmed';
  if (dueOn === addDays(facts.issuedOn, 14)) return '14 days after the invoice';
  return dueOn < addDays(facts.issuedOn, 14) ? 'shortly before the first day' : 'as the invoice says';
}

/**
 * What is charged for each place and how much of it is paid, in cents, by place. Money stays with the invoice that it
 * paid; within an invoice it counts for the places in their order.
 */
export function paidOf(
  charges: readonly Charge[],
  open: readonly Pick<OpenInvoice, 'id' | 'openCents'>[],
): ReadonlyMap<number, { chargedCents: Cents; paidCents: Cents }> {
  const paidOn = new Map<number, Cents>();
  for (const { invoiceId, cents } of charges) paidOn.set(invoiceId, (paidOn.get(invoiceId) ?? 0) + cents);
  for (const { id, openCents } of open) paidOn.set(id, Math.max(0, (paidOn.get(id) ?? 0) - openCents));
  const places = new Map<number, { chargedCents: Cents; paidCents: Cents }>();
  for (const { placeId, invoiceId, cents } of charges.toSorted((a, b) => a.placeId - b.placeId)) {
    const left = paidOn.get(invoiceId) ?? 0;
    const paid = Math.min(left, cents);
    paidOn.set(invoiceId, left - paid);
    const before = places.get(placeId) ?? { chargedCents: 0, paidCents: 0 };
    places.set(placeId, { chargedCents: before.chargedCents + cents, paidCents: before.paidCents + paid });
  }
  return places;
}
