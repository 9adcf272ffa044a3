import { sql } from 'kysely';
import { demand } from '#app/features/people/actor.ts';
import { type Day, dayIn, daysBetween } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Report } from './report.ts';

/** How many rows are read at most, in the order of their due days. */
const most = 1000;

/** Unpaid amounts by due day; an agreed instalment has its own day (P39, P83). */
export const owed: Report = {
  slug: 'owed',
  title: 'Owed, by due date',
  about: 'What is still owed on tax invoices, with the day on which each part is due.',
  definition: [
    'Amounts of tax invoices that are open now and fall due in the period, GST included. An invoice that is paid in agreed instalments has a row for each open instalment, with the day that was agreed; the day printed on the invoice does not count then. Choose a period that ends in the future to see what will fall due.',
    'What waits for the decision about a course date, or for a buyer’s choice, has no due day and is left out. “Days late” is empty until the day is over. At most 1,000 rows are listed and added up, those that are due first.',
  ],
  async read(db, actor, { from, end }, now) {
    demand(actor, 'reports:read');
    const { rows } = await sql<Row>`
      select due.due_on as "dueOn", due.due_cents::integer as cents,
        (select facts ->> 'number' from tax_invoices where id = due.tax_invoice_id) as number,
        (select reference from enrolments where id = due.enrolment_id) as reference,
        case when due.instalment_id is null then 'Invoice'
          else 'Instalment ' || agreed.position || ' of ' || (
            select count(*) from instalments each where each.debt = agreed.debt and each.ended_at is null) end as part
      from (
        select * from due_parts where due_on >= ${from} and due_on < ${end} order by due_on, enrolment_id limit ${most}
      ) as due left join instalments agreed on agreed.id = due.instalment_id
      order by due.due_on, number, agreed.position`.execute(db);
    const today = dayIn('Australia/Brisbane', now);
    return {
      columns: [
        { head: 'Due', kind: 'text' },
        { head: 'Invoice', kind: 'text' },
        { head: 'Enrolment', kind: 'enrolment' },
        { head: 'Part', kind: 'text' },
        { head: 'Days late', kind: 'days' },
        { head: 'Owed', kind: 'money' },
      ],
      rows: rows.map(({ dueOn, number, reference, part, cents }) => [
        ...[dueOn, number, reference, part],
        dueOn < today ? daysBetween(dueOn, today) : null,
        cents,
      ]),
      charts: [],
      hasSum: true,
    };
  },
};

type Row = { dueOn: Day; number: string; reference: string; part: string; cents: Cents };
