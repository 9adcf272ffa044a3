import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { OpenInvoice } from './open-invoice.ts';

/**
 * The invoices of an enrolment of which something is open, what is due first in front (P39). The one answer to what is
 * due when; `open_invoices` in the database computes it, so that lists of staff agree with it.
 */
export async function openInvoices(db: Db, enrolmentId: number): Promise<OpenInvoice[]> {
  const { rows } = await sql<Omit<OpenInvoice, 'facts'> & { facts: unknown }>`
    select tax_invoice_id as id, facts, debt, printed_due_on as "printedDueOn", due_on as "dueOn",
      open_cents as "openCents", due_cents as "dueCents", asked_cents as "askedCents",
      choosing_cents as "choosingCents", undecided, first_day as "firstDay"
    from open_invoices(${enrolmentId}) as open join tax_invoices invoice on invoice.id = open.tax_invoice_id
    order by due_on nulls last, printed_due_on, open.number`.execute(db);
  // Facts are written by the commands that issue the documents, and by nobody else.
  return rows.map(({ facts, ...row }) => ({ ...row, facts: facts as TaxInvoiceFacts }));
}
