import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { type Account, balanceOf } from './balance.ts';

/** What is owed for an enrolment (P39), in cents: below zero to the buyer. */
export async function readBalance(db: Db, enrolmentId: number): Promise<Cents> {
  const { rows } = await sql<Account>`select
    (select coalesce(sum(total_cents), 0)::integer from tax_invoices where enrolment_id = ${enrolmentId}) as "invoicedCents",
    (select coalesce(sum(note.total_cents), 0)::integer from adjustment_notes note
      join tax_invoices invoice on invoice.id = note.tax_invoice_id
      where invoice.enrolment_id = ${enrolmentId}) as "creditedCents",
    (select coalesce(sum(amount_cents), 0)::integer from payments where enrolment_id = ${enrolmentId}) as "paidCents",
    (select coalesce(sum(amount_cents), 0)::integer from refunds
      where enrolment_id = ${enrolmentId} and state = 'sent') as "refundedCents"`.execute(db);
  const [account] = rows;
  if (!account) throw new Error('a sum has one row');
  return balanceOf(account);
}
