import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { invoiceCopy } from '#app/emails/invoice-copy.ts';
import type { Issued } from '#app/features/money/invoices.server.ts';
import { moneyDue, nextPayment, type OpenInvoice } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Day, formatDayAndMonth } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enrolment } from './enrolment.ts';
import { enrolmentLink } from './links.server.ts';

export type Invoice = Issued<TaxInvoiceFacts>;

/** The tax invoice as an attachment: made again from its facts with each attempt to send. */
export const invoiceFile = ({ id, facts }: Invoice) => ({
  filename: `${facts.number}.pdf`,
  document: `tax-invoice:${id}`,
});

export const noteFile = ({ id, facts }: Issued<AdjustmentNoteFacts>) => ({
  filename: `${facts.number}.pdf`,
  document: `adjustment-note:${id}`,
});

/** The open part of an invoice; undefined when it is paid. */
export const openOf = async (trx: Db, enrolmentId: number, invoice: Invoice) =>
  (await openInvoices(trx, enrolmentId)).find(({ id }) => id === invoice.id);

/** How to pay the open part of an invoice by bank transfer (P29); nothing when it is paid. */
export const payFacts = (open: OpenInvoice | undefined, today: Day): [string, string][] =>
  open ? [['Amount', formatMoney(nextPayment(open, today))], ...accountFacts(open.facts)] : [];

/** The academy's account, with the payment reference of an invoice. */
export const accountFacts = ({ payment }: TaxInvoiceFacts): [string, string][] => [
  ['BSB', payment.bsb],
  ['Account', payment.accountNumber],
  ['Account name', payment.accountName],
  ['Payment reference', payment.reference],
];

type About = Pick<Enrolment, 'id' | 'reference' | 'title'>;
type To = { to: string; invoice: Invoice; moment: Pick<Moment, 'academy' | 'today'> };

/** Sends a copy of a tax invoice to the address that an organisation named for invoices (P30). */
export async function queueAccountsCopy(
  trx: Db,
  about: About,
  { canTakeBack = false, ...mail }: To & { canTakeBack?: boolean },
): Promise<void> {
  await queueInvoice(trx, about, { ...mail, link: null, canTakeBack });
}

/**
 * Sends a tax invoice to its buyer once more, with what of it is due now (P83). Staff can take it back for a minute.
 */
export async function queueInvoiceAgain(trx: Db, about: About, mail: To): Promise<void> {
  await queueInvoice(trx, about, { ...mail, link: enrolmentLink(about.id), canTakeBack: true });
}

async function queueInvoice(
  trx: Db,
  { id, reference, title }: About,
  { to, invoice, moment: { academy, today }, link, canTakeBack }: To & { link: string | null; canTakeBack: boolean },
): Promise<void> {
  const open = await openOf(trx, id, invoice);
  await queueMail(trx, {
    kind: 'invoice-copy',
    about: { kind: 'enrolment', id },
    to,
    replyTo: academy.email,
    attachments: [invoiceFile(invoice)],
    ...(link && { links: [link] }),
    canTakeBack,
    ...invoiceCopy({
      reference,
      title,
      starts: open?.firstDay ? formatDayAndMonth(open.firstDay) : null,
      number: invoice.facts.number,
      total: formatMoney(invoice.facts.totalCents),
      due: moneyDue(open),
      pay: payFacts(open, today),
      link: link && placeholderOf(link),
      academy,
    }),
  });
}
