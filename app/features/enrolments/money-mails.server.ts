import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { adjustmentNoteIssued, invoiceCopy } from '#app/emails/money.ts';

import { accountOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import type { Issued } from '#app/features/money/invoices.server.ts';
import { moneyDue, nextPayment, type OpenInvoice, stillOwed } from '#app/features/money/open-invoice.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Day, formatDayAndMonth } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enrolment } from './enrolment.ts';
import { enrolmentLink } from './links.server.ts';

type About = Pick<Enrolment, 'id' | 'reference' | 'title' | 'email' | 'accountsEmail' | 'accountsConfirmed'>;

/** Sentences about the money still owed on an enrolment. */
export async function owedInWords(trx: Db, enrolmentId: number, { today }: Pick<Moment, 'today'>): Promise<string[]> {
  const balanceCents = balanceOf(await accountOf(trx, enrolmentId));
  return stillOwed(balanceCents, await openInvoices(trx, enrolmentId), today);
}

/**
 * Sends adjustment notes to the accounts address of an enrolment, if it has one, and to its buyer as well unless
 * another mail of the same act brings them (P30, P39). Nothing without a note, and nothing to a buyer who was erased.
 */
export async function queueNotes(
  trx: Db,
  { id, reference, title, email, accountsEmail, accountsConfirmed }: About,
  { notes, buyerHasThem }: { notes: readonly Issued<AdjustmentNoteFacts>[]; buyerHasThem: boolean },
  moment: Moment,
): Promise<void> {
  if (notes.length === 0) return;
  const { academy } = moment;
  const about = { kind: 'enrolment', id } as const;
  const common = { kind: 'adjustment-note', about, replyTo: academy.email, attachments: notes.map(noteFile) };
  const words = {
    reference,
    title,
    notes: notes.map(({ facts }) => ({
      number: facts.number,
      invoice: facts.invoice.number,
      total: formatMoney(facts.totalCents),
      reason: facts.reason,
    })),
    still: await owedInWords(trx, id, moment),
    academy,
  };
  if (!buyerHasThem && !isErased(email)) {
    const link = enrolmentLink(id);
    const mail = adjustmentNoteIssued({ ...words, link: placeholderOf(link) });
    await queueMail(trx, { ...common, to: email, links: [link], ...mail });
  }
  if (accountsEmail && accountsConfirmed) {
    await queueMail(trx, { ...common, to: accountsEmail, ...adjustmentNoteIssued({ ...words, link: null }) });
  }
}

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

type AboutEnrolment = Pick<Enrolment, 'id' | 'reference' | 'title'>;
type To = { to: string; invoice: Invoice; moment: Pick<Moment, 'academy' | 'today'> };

/** Sends a copy of a tax invoice to the address that an organisation named for invoices (P30). */
export async function queueAccountsCopy(
  trx: Db,
  about: AboutEnrolment,
  { canTakeBack = false, ...mail }: To & { canTakeBack?: boolean },
): Promise<void> {
  await queueInvoice(trx, about, { ...mail, link: null, canTakeBack });
}

/**
 * Sends a tax invoice to its buyer again, with the amount that is due now (P83). Staff can take it back for a minute.
 */
export async function queueInvoiceAgain(trx: Db, about: AboutEnrolment, mail: To): Promise<void> {
  await queueInvoice(trx, about, { ...mail, link: enrolmentLink(about.id), canTakeBack: true });
}

async function queueInvoice(
  trx: Db,
  { id, reference, title }: AboutEnrolment,
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
