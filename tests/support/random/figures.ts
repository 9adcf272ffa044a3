import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { figuresOf, sources } from '#app/features/reports/figures.server.ts';
import { cashByWeek, noCash, noRevenue, revenueByWeek, sumOf } from '#app/features/reports/money.server.ts';
import type { Period } from '#app/features/reports/period.ts';
import { anOwner } from '#tests/support/staff.ts';

/**
 * The figures of reports, whatever day they are cut at, sum to what the accounts of all enrolments say, to the cent.
 * `cut` is a day within the story.
 */
export async function figuresAgree(db: Db, cut: string): Promise<void> {
  const parts = [
    { from: '2020-01-01', end: cut },
    { from: cut, end: '2040-01-01' },
  ];
  let [revenue, cash] = [noRevenue, noCash];
  for (const part of parts) {
    revenue = sumOf(revenue, (await revenueByWeek(db, anOwner, part)).values());
    cash = sumOf(cash, (await cashByWeek(db, anOwner, part)).values());
  }
  const ids = (await db.selectFrom('enrolments').select('id').execute()).map(({ id }) => id);
  const sums = { invoiced: 0, credited: 0, paid: 0, refunded: 0 };
  for (const account of (await accountsOf(db, ids)).values()) {
    sums.invoiced += account.invoicedCents;
    sums.credited += account.creditedCents;
    sums.paid += account.paidCents;
    sums.refunded += account.refundedCents;
  }
  expect({
    invoiced: revenue.invoicedCents,
    credited: revenue.creditedCents,
    paid: cash.receivedCents - cash.unmatchedCents,
    refunded: cash.refundedCents - cash.unmatchedRefundedCents,
  }).toEqual(sums);
}

type Counted = { name: string; count: number; cents: number };

/**
 * The sums that reports read are those of the ledger (P85), of every day of a stretch: what is read of `[from, end)` is
 * compared with documents, places, payments and enrolments counted anew.
 */
export async function sumsAgree(db: Db, { from, end }: Period): Promise<void> {
  const inDays = (day: RawBuilder<unknown>) => sql`${day} >= ${from}::date and ${day} < ${end}::date`;
  const brisbane = (at: RawBuilder<unknown>) => sql`(${at} at time zone 'Australia/Brisbane')::date`;
  const { rows: counted } = await sql<Counted>`
    select 'invoices 0' as name, count(*)::integer as count, coalesce(sum(total_cents), 0)::bigint as cents
      from tax_invoices where ${inDays(sql`issued_on`)}
    union all select 'notes 0', count(*), coalesce(sum(total_cents), 0)
      from adjustment_notes where ${inDays(sql`issued_on`)}
    union all select 'received 0', count(*), coalesce(sum(amount_cents), 0)
      from payments where currency = 'AUD' and ${inDays(sql`received_on`)}
    union all select 'refunded 0', count(*), coalesce(sum(refunds.amount_cents), 0)
      from refunds join payments on payments.id = payment_id
      where currency = 'AUD' and state = 'sent' and ${inDays(sql`refunds.sent_on`)}
    union all select 'revenue ' || course_id, 0, sum(cents) from (
        select course_id, amount_cents as cents, issued_on from tax_invoice_lines line
          join tax_invoices document on document.id = tax_invoice_id join places on places.id = line.place_id
        union all
        select course_id, -amount_cents, issued_on from adjustment_note_lines line
          join adjustment_notes document on document.id = adjustment_note_id join places on places.id = line.place_id
      ) as lines where ${inDays(sql`issued_on`)} group by course_id
    union all select 'places ' || course_id, count(*), 0 from places
      where transferred_from is null and ${inDays(brisbane(sql`placed_at`))} group by course_id
    union all select kind || ' 0', count(*), sum(charged) from (
        select case when placed_by is null then 'pages, ' else 'staff, ' end
            || case payer when 'organisation' then 'organisations' else 'private' end as kind,
          (select coalesce(sum(total_cents), 0) from tax_invoices where enrolment_id = enrolments.id)
            - (select coalesce(sum(note.total_cents), 0) from adjustment_notes note
              join tax_invoices invoice on invoice.id = tax_invoice_id where invoice.enrolment_id = enrolments.id) as charged
        from enrolments where ${inDays(brisbane(sql`placed_at`))}
      ) as its group by kind
    union all select 'placed ' || course_id, count(distinct enrolment_id), 0
      from places join enrolments on enrolments.id = enrolment_id
      where placed_by is null and ${inDays(brisbane(sql`enrolments.placed_at`))} group by course_id
    union all select 'paid ' || course_id, count(distinct places.enrolment_id), 0
      from places join enrolments on enrolments.id = enrolment_id join enrolment_index money using (enrolment_id)
      where placed_by is null and ${inDays(brisbane(sql`enrolments.placed_at`))} and money.balance_cents <= 0
        and exists (select from payments where payments.enrolment_id = enrolments.id) group by course_id`.execute(db);
  const { rows: read } = await sql<Counted>`
    select what || ' ' || course_id as name, sum(items)::integer as count, sum(cents)::bigint as cents
    from ${figuresOf(allFigures, { from, end })} as figure group by what, course_id`.execute(db);
  const listed = (rows: readonly Counted[]) =>
    Object.fromEntries(
      rows.filter(({ count, cents }) => count !== 0 || cents !== 0).map(({ name, ...its }) => [name, its]),
    );
  expect(listed(read)).toEqual(listed(counted));
}

const allFigures = [
  ...(['invoices', 'notes', 'revenue', 'places', 'received', 'refunded', 'placed', 'paid'] as const),
  ...sources,
];
