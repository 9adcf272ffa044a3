import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** What a sum of a ledger must be equal to, and the rows in which it is not. */
const checks = [
  {
    what: 'seats of course dates that differ from their movements',
    rows: sql`select seats.course_date_id from course_date_seats seats
      left join (
        select course_date_id, sum(movement.seats) as taken from seat_movements movement group by course_date_id
      ) ledger using (course_date_id)
      where seats.sold + seats.held + seats.offered <> coalesce(ledger.taken, 0)`,
  },
  {
    what: 'places whose seat is not in the ledger',
    rows: sql`select place.id from places place
      left join (
        select place_id, sum(seats) as taken from seat_movements where place_id is not null group by place_id
      ) ledger on ledger.place_id = place.id
      where coalesce(ledger.taken, 0) <> case when place.way = 'date' and place.state <> 'cancelled' then 1 else 0 end`,
  },
  {
    what: 'tax invoices that differ from their lines',
    rows: sql`select invoice.id from tax_invoices invoice
      left join (
        select tax_invoice_id, sum(amount_cents) as total, sum(gst_cents) as gst
        from tax_invoice_lines group by tax_invoice_id
      ) line on line.tax_invoice_id = invoice.id
      where (invoice.total_cents, invoice.gst_cents) <> (coalesce(line.total, 0), coalesce(line.gst, 0))`,
  },
  {
    what: 'adjustment notes that differ from their lines',
    rows: sql`select note.id from adjustment_notes note
      left join (
        select adjustment_note_id, sum(amount_cents) as total, sum(gst_cents) as gst
        from adjustment_note_lines group by adjustment_note_id
      ) line on line.adjustment_note_id = note.id
      where (note.total_cents, note.gst_cents) <> (coalesce(line.total, 0), coalesce(line.gst, 0))`,
  },
  {
    what: 'numbers of invoices and notes that were given out and are in no document',
    rows: sql`select kind from document_numbers counter
      where counter.last <> (
        select count(*) from tax_invoices where counter.kind = 'tax-invoice'
      ) + (
        select count(*) from adjustment_notes where counter.kind = 'adjustment-note'
      ) + (
        select coalesce(sum(skipped.last - skipped.first + 1), 0) from skipped_numbers skipped
        where skipped.kind = counter.kind
      )`,
  },
  {
    what: 'enrolments whose listed sums differ from their invoices, notes and payments',
    rows: sql`select list.enrolment_id from enrolment_list list
      left join (
        select invoice.enrolment_id, sum(invoice.total_cents - coalesce((
          select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0)) as net
        from tax_invoices invoice group by invoice.enrolment_id
      ) owed on owed.enrolment_id = list.enrolment_id
      where list.total_cents <> coalesce(owed.net, 0)
        or list.balance_cents <> list.total_cents - paid_for(list.enrolment_id)`,
  },
  {
    what: 'places with less than no experience points',
    rows: sql`select place_id from xp_entries group by place_id having sum(points) < 0`,
  },
  {
    what: 'reversed experience points that differ from those they take back',
    rows: sql`select taken.id from xp_entries taken join xp_entries entry on entry.id = taken.reverses
      where (taken.points, taken.place_id) is distinct from (-entry.points, entry.place_id)`,
  },
];

/** What in the books of a database does not add up, in words; empty when seats, money and experience points do. */
export async function findImbalances(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { what, rows } of checks) {
    const { rows: counted } = await sql<{ count: number }>`select count(*)::integer as count from (${rows}) r`.execute(
      db,
    );
    const count = counted[0]?.count ?? 0;
    if (count > 0) found.push(`${count} ${what}`);
  }
  return found;
}
