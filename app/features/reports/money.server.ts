import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { figuresOf } from './figures.server.ts';
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
  const sum = (of: 'items' | 'cents' | 'gst_cents', what: 'invoices' | 'notes') =>
    sql`coalesce(sum(${sql.ref(of)}) filter (where what = ${sql.lit(what)}), 0)`;
  const { rows } = await sql<Revenue & { week: Day }>`
    select week, ${sum('items', 'invoices')} as invoices, ${sum('cents', 'invoices')} as "invoicedCents",
      ${sum('gst_cents', 'invoices')} as "invoicedGstCents", ${sum('items', 'notes')} as notes,
      ${sum('cents', 'notes')} as "creditedCents", ${sum('gst_cents', 'notes')} as "creditedGstCents"
    from ${figuresOf(['invoices', 'notes'], { from, end })} as figure group by week`.execute(db);
  return new Map(rows.map(({ week, ...revenue }) => [week, revenue]));
}

/**
 * Cash of a period, by the Monday of the week; weeks without any are left out. In Australian dollars only. A refund
 * that came back was none.
 */
export async function cashByWeek(db: Db, actor: StaffActor, period: Period): Promise<Map<Day, Cash>> {
  requirePermission(actor, 'reports:read');
  const { rows } = await sql<Cash & { week: Day }>`
    select week, sum(received) as "receivedCents", sum(unmatched) as "unmatchedCents", sum(refunded) as "refundedCents",
      sum(unmatched_refunded) as "unmatchedRefundedCents"
    from (
      select week, case what when 'received' then cents else 0 end as received, 0 as unmatched,
          case what when 'refunded' then cents else 0 end as refunded, 0 as unmatched_refunded
        from ${figuresOf(['received', 'refunded'], period)} as figure
      union all
      -- Few wait to be matched, and each stops being one of these when it is.
      select date_trunc('week', received_on)::date, 0, amount_cents, 0, 0 from payments
        where enrolment_id is null and set_aside_at is null and received_on >= ${period.from} and received_on < ${period.end} and currency = 'AUD'
      union all
      select date_trunc('week', refund.sent_on)::date, 0, 0, 0, refund.amount_cents
        from payments payment join refunds refund on refund.payment_id = payment.id
        where payment.enrolment_id is null and refund.sent_on >= ${period.from} and refund.sent_on < ${period.end}
          and refund.state = 'sent' and payment.currency = 'AUD'
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
