import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, daysBetween } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { After } from './after.ts';
import type { Period } from './period.ts';
import type { Figures, Part, Report } from './report.ts';

/** Unpaid amounts by due day; an agreed instalment has its own day (P39, P83). */
export const owed: Report = {
  slug: 'owed',
  isState: true,
  title: 'Owed, by due date',
  about: 'What is still owed on tax invoices, with the day on which each part is due.',
  definition: [
    'Amounts of tax invoices that are open now, GST included; of a period, those that fall due in it. An invoice that is paid in agreed instalments has a row for each open instalment, with the day that was agreed; the day printed on the invoice does not count then.',
    'What waits for the decision about a course date, or for a buyer’s choice, has no due day and is left out. “Days late” is empty until the day is over. Money that went back to a buyer twice, by our refund and through their bank, is on no invoice: it is due since the day on which it went.',
  ],
  async read(db, actor, period, now, part) {
    requirePermission(actor, 'reports:read');
    const { rows } = await sql<Row>`
      select due.due_on as "dueOn", due.enrolment_id as "enrolmentId", due.due_cents::integer as cents,
        (select facts ->> 'number' from tax_invoices where id = due.tax_invoice_id) as number,
        (select reference from enrolments where id = due.enrolment_id) as reference,
        case when due.tax_invoice_id is null then 'Went back twice'
          when due.instalment_id is null then 'Invoice'
          else 'Instalment ' || agreed.position || ' of ' || (
            select count(*) from instalments each where each.debt = agreed.debt and each.ended_at is null) end as part
      from (
        select * from due_parts where ${dueIn(period, part?.after ?? null)} order by due_on, enrolment_id
        ${part ? sql`fetch first ${part.most} rows with ties` : sql``}
      ) as due left join instalments agreed on agreed.id = due.instalment_id
      order by due.due_on, due.enrolment_id, number, agreed.position`.execute(db);
    const today = academyDay(now);
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
      ...(part && { page: await pageOf(db, period, part, rows) }),
    };
  },
};

const dueIn = ({ from, end }: Period, after: After | null) => sql`due_on >= ${from} and due_on < ${end}
  ${after ? sql`and (due_on, enrolment_id) > (${after.day}::date, ${after.id}::bigint)` : sql``}`;

/** The position of a page of rows among all of the period, and their sum. */
async function pageOf(db: Db, period: Period, { after }: Part, rows: readonly Row[]): Promise<Figures['page']> {
  const last = rows.at(-1);
  const end = last ? { day: last.dueOn, id: last.enrolmentId } : after;
  const { rows: found } = await sql<{ total: number; cents: Cents; behind: number }>`
    select count(*)::integer as total, coalesce(sum(due_cents), 0)::bigint as cents,
      (count(*) filter (where ${dueIn(period, end)}))::integer as behind
    from due_parts where ${dueIn(period, null)}`.execute(db);
  const { total, cents, behind } = found[0] ?? { total: 0, cents: 0, behind: 0 };
  return {
    standing: { before: total - behind - rows.length, shown: rows.length, total, more: false },
    next: behind > 0 ? end : null,
    sums: [null, null, null, null, null, cents],
  };
}

type Row = { dueOn: Day; enrolmentId: number; number: string | null; reference: string; part: string; cents: Cents };
