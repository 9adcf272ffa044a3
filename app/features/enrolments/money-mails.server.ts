import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts } from '#app/documents/invoice-facts.ts';
import { adjustmentNoteIssued } from '#app/emails/adjustment-note.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import type { Issued } from '#app/features/money/invoices.server.ts';
import { stillOwed } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enrolment } from './enrolment.ts';
import { noteFile } from './invoice-mails.server.ts';
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
