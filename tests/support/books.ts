import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';

/** Numbers of documents have no gap. */
export async function numbersAgree(db: Db): Promise<void> {
  for (const table of ['tax_invoices', 'adjustment_notes'] as const) {
    const rows = await db.selectFrom(table).select('number').orderBy('number').execute();
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
  }
}

/** An active place has one seat, in its course date alone; any other has none. */
export async function oneSeatEach(db: Db): Promise<void> {
  const { rows } = await sql`
    select p.id, p.state, p.way, coalesce(sum(m.seats), 0) as seats
    from places p left join seat_movements m on m.place_id = p.id
    group by p.id
    having coalesce(sum(m.seats), 0) <> case when p.way = 'date' and p.state <> 'cancelled' then 1 else 0 end
      or count(distinct m.course_date_id) > 1
      or bool_or(m.course_date_id <> p.course_date_id)`.execute(db);
  expect(rows, 'places and their seats').toEqual([]);
}

/** Every document was mailed to its buyer. */
export async function mailsAgree(db: Db): Promise<void> {
  const { rows } = await sql`
    select d.document from (
      select 'tax-invoice:' || i.id as document, e.email from tax_invoices i join enrolments e on e.id = i.enrolment_id
      union all
      select 'adjustment-note:' || n.id, e.email from adjustment_notes n
        join tax_invoices i on i.id = n.tax_invoice_id join enrolments e on e.id = i.enrolment_id
    ) d where not exists (select from mails m where m.recipient = d.email
      and m.attachments @> jsonb_build_array(jsonb_build_object('document', d.document)))`.execute(db);
  expect(rows, 'documents that nobody was sent').toEqual([]);
}
