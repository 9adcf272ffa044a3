import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { instantsOf, type Period } from './period.ts';

/** What was charged, by the day of issue of tax invoices and adjustment notes; GST is part of each amount. */
export type Revenue = {
  invoices: number;
  invoicedCents: Cents;
  invoicedGstCents: Cents;
  notes: number;
  creditedCents: Cents;
  creditedGstCents: Cents;
};

/** Money that came in, by the day on which it arrived, and refunds, by the day on which they were sent. */
export type Cash = {
  receivedCents: Cents;
  /** Of that, what is not matched to an enrolment. */
  unmatchedCents: Cents;
  refundedCents: Cents;
  /** Of that, refunds of payments that are not matched. */
  unmatchedRefundedCents: Cents;
};

export const noRevenue: Revenue = {
  invoices: 0,
  invoicedCents: 0,
  invoicedGstCents: 0,
  notes: 0,
  creditedCents: 0,
  creditedGstCents: 0,
};
export const noCash: Cash = { receivedCents: 0, unmatchedCents: 0, refundedCents: 0, unmatchedRefundedCents: 0 };

/** Revenue of a period, by the Monday of the week; weeks without any are left out. */
export async function revenueByWeek(db: Db, actor: StaffActor, { from, end }: Period): Promise<Map<Day, Revenue>> {
  demand(actor, 'reports:read');
  const { rows } = await sql<Revenue & { week: Day }>`
    select week, sum(invoices) as invoices, sum(invoiced) as "invoicedCents", sum(invoiced_gst) as "invoicedGstCents",
      sum(notes) as notes, sum(credited) as "creditedCents", sum(credited_gst) as "creditedGstCents"
    from (
      select date_trunc('week', issued_on)::date as week, count(*) as invoices, sum(total_cents) as invoiced,
          sum(gst_cents) as invoiced_gst, 0 as notes, 0 as credited, 0 as credited_gst
        from tax_invoices where issued_on >= ${from} and issued_on < ${end} group by 1
      union all
      select date_trunc('week', issued_on)::date, 0, 0, 0, count(*), sum(total_cents), sum(gst_cents)
        from adjustment_notes where issued_on >= ${from} and issued_on < ${end} group by 1
    ) as both_kinds
    group by week`.execute(db);
  return new Map(rows.map(({ week, ...revenue }) => [week, revenue]));
}

/**
 * Cash of a period, by the Monday of the week; weeks without any are left out. In Australian dollars only. A refund that
 * came back was none.
 */
export async function cashByWeek(db: Db, actor: StaffActor, period: Period): Promise<Map<Day, Cash>> {
  demand(actor, 'reports:read');
  const { from, end } = instantsOf(period);
  const { rows } = await sql<Cash & { week: Day }>`
    select week, sum(received) as "receivedCents", sum(unmatched) as "unmatchedCents", sum(refunded) as "refundedCents",
      sum(unmatched_refunded) as "unmatchedRefundedCents"
    from (
      select date_trunc('week', received_on)::date as week, sum(amount_cents) as received,
          coalesce(sum(amount_cents) filter (where enrolment_id is null), 0) as unmatched,
          0 as refunded, 0 as unmatched_refunded
        from payments
        where received_on >= ${period.from} and received_on < ${period.end} and currency = 'AUD' group by 1
      union all
      select date_trunc('week', refund.recorded_at at time zone 'Australia/Brisbane')::date, 0, 0,
          sum(refund.amount_cents), coalesce(sum(refund.amount_cents) filter (where payment.enrolment_id is null), 0)
        from refunds refund join payments payment on payment.id = refund.payment_id
        where refund.recorded_at >= ${from} and refund.recorded_at < ${end}
          and refund.state = 'sent' and payment.currency = 'AUD' group by 1
    ) as both_ways
    group by week`.execute(db);
  return new Map(rows.map(({ week, ...cash }) => [week, cash]));
}

/** The sum of some weeks. */
export const sumOf = <Figures extends Record<string, number>>(none: Figures, some: Iterable<Figures>): Figures =>
  [...some].reduce(
    (sum, one) =>
      Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, value + (one[name] ?? 0)])) as Figures,
    none,
  );
