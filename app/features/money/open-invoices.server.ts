import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Day } from '#app/lib/dates.ts';
import type { OpenInvoice } from './open-invoice.ts';

/**
 * The open invoices of an enrolment, the earliest due date first (P39). Only `open_invoices` in the database computes
 * due dates and amounts, so that staff's lists show the same. One that is paid by instalments has each that is open.
 */
export async function openInvoices(db: Db, enrolmentId: number): Promise<OpenInvoice[]> {
  return (await openInvoicesOf(db, [enrolmentId])).get(enrolmentId) ?? [];
}

/** The same of several enrolments, by enrolment. */
export async function openInvoicesOf(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, OpenInvoice[]>> {
  if (enrolmentIds.length === 0) return new Map();
  const { rows } = await sql<Row & { of: number }>`
    select id_of.id as "of", tax_invoice_id as id, facts, debt, printed_due_on as "printedDueOn", due_on as "dueOn",
      open_cents as "openCents", due_cents as "dueCents", asked_cents as "askedCents",
      choosing_cents as "choosingCents", undecided, first_day as "firstDay", instalment_id as "instalmentId"
    from unnest(${[...enrolmentIds]}::bigint[]) as id_of(id), open_invoices(id_of.id) as open
      join tax_invoices invoice on invoice.id = open.tax_invoice_id
    order by due_on nulls last, printed_due_on, open.number, instalment_id nulls first`.execute(db);
  const byEnrolment = Map.groupBy(rows, ({ of }) => of);
  return new Map([...byEnrolment].map(([id, its]) => [id, invoicesOf(its)]));
}

/** Whether a part of an invoice of the enrolment is overdue (P105). */
export async function isOverdue(db: Db, enrolmentId: number, today: Day): Promise<boolean> {
  return (await openInvoices(db, enrolmentId)).some(({ dueOn }) => dueOn !== null && dueOn < today);
}

/** The invoices in rows; an invoice that is paid by instalments has several rows. */
function invoicesOf(rows: readonly (Row & { of: number })[]): OpenInvoice[] {
  const invoices = new Map<number, OpenInvoice>();
  for (const { facts, instalmentId, of: _, ...row } of rows) {
    const { dueOn, openCents, dueCents, askedCents } = row;
    const before = invoices.get(row.id);
    const instalments = [
      ...(before?.instalments ?? []),
      ...(instalmentId === null ? [] : [{ id: instalmentId, dueOn, openCents, dueCents, askedCents }]),
    ];
    // Facts are written by the commands that issue the documents, and by nobody else.
    const invoice = before ?? { ...row, facts: facts as TaxInvoiceFacts, instalments };
    invoices.set(row.id, before ? { ...together(invoice, row), instalments } : invoice);
  }
  return [...invoices.values()];
}

type Row = Omit<OpenInvoice, 'facts' | 'instalments'> & { facts: unknown; instalmentId: number | null };
type Part = Pick<Row, 'dueOn' | 'openCents' | 'dueCents' | 'askedCents' | 'choosingCents'>;

/** An invoice with one more part of it. */
const together = (invoice: OpenInvoice, part: Part): OpenInvoice => ({
  ...invoice,
  // The parts come in the order of their days; the parts without a day are last.
  dueOn: invoice.dueOn ?? part.dueOn,
  openCents: invoice.openCents + part.openCents,
  dueCents: invoice.dueCents + part.dueCents,
  askedCents: invoice.askedCents + part.askedCents,
  choosingCents: invoice.choosingCents + part.choosingCents,
});
