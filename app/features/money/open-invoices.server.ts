import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { OpenInvoice } from './open-invoice.ts';

/**
 * The open invoices of an enrolment, the earliest due date first (P39). Only `open_invoices` in the database computes
 * due dates and amounts, so that staff's lists show the same.
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
