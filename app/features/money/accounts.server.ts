import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Account } from './balance.ts';

/** The accounts of enrolments, by id (P39): what was invoiced, credited, paid and refunded. */
export async function accountsOf(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, Account>> {
  if (enrolmentIds.length === 0) return new Map();
  const ids = [...enrolmentIds];
  const { rows } = await sql<Account & { id: number }>`
    select id,
      (select coalesce(sum(total_cents), 0) from tax_invoices where enrolment_id = id_of.id) as "invoicedCents",
      (select coalesce(sum(note.total_cents), 0) from adjustment_notes note
        join tax_invoices invoice on invoice.id = note.tax_invoice_id
        where invoice.enrolment_id = id_of.id) as "creditedCents",
      (select coalesce(sum(amount_cents), 0) from payments where enrolment_id = id_of.id) as "paidCents",
      -- By its payment, which may have been assigned after the refund.
      (select coalesce(sum(refund.amount_cents), 0) from refunds refund
        join payments payment on payment.id = refund.payment_id
        where payment.enrolment_id = id_of.id and refund.state = 'sent') as "refundedCents"
    from unnest(${ids}::bigint[]) as id_of(id)
  `.execute(db);
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}

/** The account of one enrolment; all zero when nothing was invoiced or paid. */
export async function accountOf(db: Db, enrolmentId: number): Promise<Account> {
  return (await accountsOf(db, [enrolmentId])).get(enrolmentId) ?? noAccount;
}

export const noAccount: Account = { invoicedCents: 0, creditedCents: 0, paidCents: 0, refundedCents: 0 };

export type MoneyDocument =
  | { kind: 'tax-invoice'; id: number; enrolmentId: number | null; facts: TaxInvoiceFacts }
  | { kind: 'adjustment-note'; id: number; enrolmentId: number | null; facts: AdjustmentNoteFacts };

/** Tax invoices and adjustment notes of an enrolment, in the order in which they were issued, invoices first. */
export const documentsOf = (db: Db, enrolmentId: number): Promise<MoneyDocument[]> => documentsOfAll(db, [enrolmentId]);

/** The same of several enrolments. */
export async function documentsOfAll(db: Db, enrolmentIds: readonly number[]): Promise<MoneyDocument[]> {
  if (enrolmentIds.length === 0) return [];
  const invoices = await db
    .selectFrom('tax_invoices')
    .select(['id', 'enrolment_id', 'facts'])
    .where('enrolment_id', 'in', enrolmentIds)
    .orderBy('id')
    .execute();
  const notes = await db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'note.tax_invoice_id')
    .select(['note.id', 'invoice.enrolment_id', 'note.facts'])
    .where('invoice.enrolment_id', 'in', enrolmentIds)
    .orderBy('note.id')
    .execute();
  return [...invoices.map(asInvoice), ...notes.map(asNote)];
}

/** One document by its id; undefined when there is none. */
export async function findDocument(
  db: Db,
  kind: MoneyDocument['kind'],
  id: number,
): Promise<MoneyDocument | undefined> {
  if (kind === 'tax-invoice') {
    const row = await db.selectFrom('tax_invoices').selectAll().where('id', '=', id).executeTakeFirst();
    return row && asInvoice(row);
  }
  const row = await db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'note.tax_invoice_id')
    .select(['note.id', 'invoice.enrolment_id', 'note.facts'])
    .where('note.id', '=', id)
    .executeTakeFirst();
  return row && asNote(row);
}

type FactsRow = { id: number; enrolment_id: number | null; facts: unknown };

// Facts are written by the commands that issue the documents, and by nobody else.
const asInvoice = ({ id, enrolment_id, facts }: FactsRow): MoneyDocument => ({
  kind: 'tax-invoice',
  id,
  enrolmentId: enrolment_id,
  facts: facts as TaxInvoiceFacts,
});
const asNote = ({ id, enrolment_id, facts }: FactsRow): MoneyDocument => ({
  kind: 'adjustment-note',
  id,
  enrolmentId: enrolment_id,
  facts: facts as AdjustmentNoteFacts,
});
