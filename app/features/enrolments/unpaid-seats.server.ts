import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';

/** Seats of one buyer that may be unpaid; more are a request for staff (P28). */
export const mostUnpaidSeats = 6;

/**
 * How many seats in training sessions a buyer has in enrolments that are not paid in full. Until the transaction ends,
 * others who place for the same mailbox wait here.
 */
export async function unpaidSeatsOf(trx: Db, email: string): Promise<number> {
  const mailbox = mailboxOf(email);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enrolments of ${mailbox}`}, 0))`.execute(trx);
  const { rows } = await sql<{ seats: number }>`
    select count(*)::integer as seats
    from places join enrolments on enrolments.id = places.enrolment_id
    where enrolments.mailbox = ${mailbox} and places.state = 'active' and places.way = 'session' and
      (select coalesce(sum(total_cents), 0) from tax_invoices where enrolment_id = enrolments.id)
      - (select coalesce(sum(note.total_cents), 0) from adjustment_notes note
         join tax_invoices invoice on invoice.id = note.tax_invoice_id where invoice.enrolment_id = enrolments.id)
      - (select coalesce(sum(amount_cents), 0) from payments where enrolment_id = enrolments.id)
      + (select coalesce(sum(amount_cents), 0) from refunds where enrolment_id = enrolments.id and state = 'sent') > 0`.execute(
    trx,
  );
  return rows[0]?.seats ?? 0;
}
