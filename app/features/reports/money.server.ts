import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Period } from './period.ts';

/** The charges in cents by the day of issue of tax invoices and adjustment notes; GST is part of each amount. */
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
  /** The part that is not matched to an enrolment. */
  unmatchedCents: Cents;
  refundedCents: Cents;
  /** The part for payments that are not matched. */
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
  requirePermission(actor, 'reports:read');
  const { rows } = await sql<Revenue & { week: Day }>`
    select date_trunc('week', issued_on)::date as week, sum(invoices) as invoices, sum(invoiced) as "invoicedCents",
      sum(invoiced_gst) as "invoicedGstCents", sum(notes) as notes, sum(credited) as "creditedCents",
      sum(credited_gst) as "creditedGstCents"
    from (
      select issued_on, 1 as invoices, total_cents as invoiced, gst_cents as invoiced_gst, 0 as notes, 0 as credited,
        0 as credited_gst from tax_invoices
      union all
      select issued_on, 0, 0, 0, 1, total_cents, gst_cents from adjustment_notes
    ) as document
    where issued_on >= ${from} and issued_on < ${end} group by 1`.execute(db);
  return new Map(rows.map(({ week, ...revenue }) => [week, revenue]));
}

/**
 * Cash of a period, by the Monday of the week; weeks without any are left out. In Australian dollars only. A refund
 * that came back was none.
 */
export async function cashByWeek(db: Db, actor: StaffActor, { from, end }: Period): Promise<Map<Day, Cash>> {
  requirePermission(actor, 'reports:read');
  const { rows } = await sql<Cash & { week: Day }>`
    select date_trunc('week', day)::date as week, sum(received) as "receivedCents",
      coalesce(sum(received) filter (where enrolment_id is null), 0) as "unmatchedCents", sum(refunded) as "refundedCents",
      coalesce(sum(refunded) filter (where enrolment_id is null), 0) as "unmatchedRefundedCents"
    from (
      select received_on as day, amount_cents as received, 0 as refunded, enrolment_id from payments
        where set_aside_at is null and currency = 'AUD'
      union all
      select refund.sent_on, 0, refund.amount_cents, payment.enrolment_id
        from payments payment join refunds refund on refund.payment_id = payment.id
        where refund.state = 'sent' and payment.currency = 'AUD'
    ) as both_ways
    where day >= ${from} and day < ${end} group by 1`.execute(db);
  return new Map(rows.map(({ week, ...cash }) => [week, cash]));
}

/** The sum of some weeks. */
export const sumOf = <Figures extends Record<string, number>>(none: Figures, some: Iterable<Figures>): Figures =>
  [...some].reduce(
    (sum, one) =>
      Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, value + (one[name] ?? 0)])) as Figures,
    none,
  );
