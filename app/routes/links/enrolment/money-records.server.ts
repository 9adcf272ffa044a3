import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { accountOf, documentsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import type { OpenInvoice } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** A tax invoice or an adjustment note of an enrolment, as its buyer sees it. */
type ShownDocument = {
  /** Its name in mails and downloads, such as `tax-invoice:12`. */
  document: string;
  kind: 'tax-invoice' | 'adjustment-note';
  /** Such as `INV-00042`. */
  number: string;
  issuedOn: Day;
  totalCents: Cents;
  /** Of an adjustment note. */
  reason: string | null;
};

/** The money of an enrolment (P32, P39), in cents, GST included. */
export type MoneyRecords = {
  /** Above zero: owed by the buyer; below: to the buyer. */
  balanceCents: Cents;
  paidCents: Cents;
  refundedCents: Cents;
  /** Oldest first, each note behind its invoice. */
  documents: ShownDocument[];
  /** The invoices of which something is open, what is due first in front; none when nothing is owed. */
  open: (Pick<OpenInvoice, 'dueOn' | 'printedDueOn' | 'openCents' | 'dueCents' | 'choosingCents' | 'undecided'> & {
    number: string;
  })[];
  /** How to pay what is due first; null when nothing is owed. */
  pay: TaxInvoiceFacts['payment'] | null;
};

/** Reads invoices, adjustment notes, payments and refunds of an enrolment. */
export async function readMoneyRecords(db: Db, enrolment: Pick<Enrolment, 'id'>): Promise<MoneyRecords> {
  const documents = await documentsOf(db, enrolment.id);
  const account = await accountOf(db, enrolment.id);
  const balanceCents = balanceOf(account);
  const invoices = documents.flatMap((one) => (one.kind === 'tax-invoice' ? [one] : []));
  const notes = documents.flatMap((one) => (one.kind === 'adjustment-note' ? [one] : []));
  const notesOf = (number: string) => notes.filter(({ facts }) => facts.invoice.number === number);
  const open = balanceCents > 0 ? await openInvoices(db, enrolment.id) : [];
  return {
    balanceCents,
    paidCents: account.paidCents,
    refundedCents: account.refundedCents,
    documents: invoices.flatMap((invoice) => [
      shown(invoice.kind, invoice.id, invoice.facts),
      ...notesOf(invoice.facts.number).map(({ kind, id, facts }) => shown(kind, id, facts)),
    ]),
    open: open.map(({ facts, dueOn, printedDueOn, openCents, dueCents, choosingCents, undecided }) => ({
      number: facts.number,
      dueOn,
      printedDueOn,
      openCents,
      dueCents,
      choosingCents,
      undecided,
    })),
    pay: open[0]?.facts.payment ?? null,
  };
}

function shown(kind: ShownDocument['kind'], id: number, facts: TaxInvoiceFacts | AdjustmentNoteFacts): ShownDocument {
  const { number, issuedOn, totalCents } = facts;
  return {
    document: `${kind}:${id}`,
    kind,
    number,
    issuedOn,
    totalCents,
    reason: 'reason' in facts ? facts.reason : null,
  };
}
