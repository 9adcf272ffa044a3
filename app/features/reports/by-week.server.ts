import { sql } from 'kysely';
import { requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { cashByWeek, noCash, noRevenue, revenueByWeek } from './money.server.ts';
import { cutWeeks, instantsOf, weekStart, weeksOf } from './period.ts';
import type { Report } from './report.ts';

const week = { head: 'Week from', kind: 'text' } as const;

export const money: Report = {
  slug: 'money',
  title: 'Revenue and cash',
  about: 'What was charged and what was paid, side by side, by week.',
  definition: [
    'Revenue counts by the day of issue: tax invoices less adjustment notes, GST included.',
    'Cash counts by the day of payment: money that arrived less refunds that were sent, also what is matched to no enrolment yet. A refund that came back is left out, and so is money in other currencies.',
    'Revenue and cash are never added together: an invoice of one week may be paid in another.',
    cutWeeks,
  ],
  async read(db, actor, period) {
    const [revenue, cash] = [await revenueByWeek(db, actor, period), await cashByWeek(db, actor, period)];
    return {
      columns: [
        week,
        { head: 'Invoiced, AU$', kind: 'money' },
        { head: 'Adjusted, AU$', kind: 'money' },
        { head: 'Revenue, AU$', kind: 'money' },
        { head: 'Received, AU$', kind: 'money' },
        { head: 'Refunded, AU$', kind: 'money' },
        { head: 'Cash, AU$', kind: 'money' },
      ],
      rows: weeksOf(period).map((monday) => {
        const { invoicedCents, creditedCents } = revenue.get(monday) ?? noRevenue;
        const { receivedCents, refundedCents } = cash.get(monday) ?? noCash;
        const charged = [invoicedCents, -creditedCents, invoicedCents - creditedCents];
        return [
          weekStart(monday, period),
          ...charged,
          receivedCents,
          -refundedCents,
          receivedCents - refundedCents,
        ].map(noMinusZero);
      }),
      charts: [3, 6],
      hasSum: true,
    };
  },
};

const noMinusZero = <Value>(value: Value): Value | 0 => (value === 0 ? 0 : value);

export const enrolments: Report = {
  slug: 'enrolments',
  title: 'Enrolments',
  about: 'How many people enrolled, and for how many places, by week.',
  definition: [
    'An enrolment counts in the week in which it was placed, also when it was cancelled later.',
    'A place is one attendee on one course. It counts in the week in which it was added to its enrolment; a move to another date is no new place.',
    'An enrolment without people who can be named, because they were deleted, still counts while its record is kept.',
    cutWeeks,
  ],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ week: Day; enrolments: number; places: number; byStaff: number }>`
      select date_trunc('week', placed_at at time zone 'Australia/Brisbane')::date as week, sum(enrolments) as enrolments,
        sum(by_staff) as "byStaff", sum(places) as places
      from (
        select placed_at, 1 as enrolments, (placed_by is not null)::integer as by_staff, 0 as places from enrolments
        union all
        select placed_at, 0, 0, 1 from places where transferred_from is null
      ) as placed
      where placed_at >= ${from} and placed_at < ${end} group by 1`.execute(db);
    const of = new Map(rows.map((row) => [row.week, row]));
    return {
      columns: [
        week,
        { head: 'Enrolments', kind: 'count' },
        { head: 'Of them by staff', kind: 'count' },
        { head: 'Places', kind: 'count' },
      ],
      rows: weeksOf(period).map((monday) => {
        const found = of.get(monday);
        return [weekStart(monday, period), found?.enrolments ?? 0, found?.byStaff ?? 0, found?.places ?? 0];
      }),
      charts: [1, 3],
      hasSum: true,
    };
  },
};

export const waiting: Report = {
  slug: 'waiting',
  title: 'Waiting lists',
  about: 'Who joined a waiting list, was offered seats, and took them, by week of joining.',
  definition: [
    'Someone counts in the week in which they joined, once they confirmed their email address. Places that were bought for the next date are left out.',
    '“Offered” counts those who were offered seats at least once by now, “taken” those who accepted.',
    cutWeeks,
  ],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ week: Day; joined: number; offered: number; taken: number }>`
      select date_trunc('week', joined_at at time zone 'Australia/Brisbane')::date as week, count(*) as joined,
        count(*) filter (where exists (select from waiting_offers offer where offer.entry_id = entry.id)) as offered,
        count(*) filter (where exists (
          select from waiting_offers offer where offer.entry_id = entry.id and offer.ended = 'accepted')) as taken
      from waiting_entries entry
      where joined_at >= ${from} and joined_at < ${end} and confirmed_at is not null and enrolment_id is null
      group by 1`.execute(db);
    const of = new Map(rows.map((row) => [row.week, row]));
    return {
      columns: [
        week,
        { head: 'Joined', kind: 'count' },
        { head: 'Offered', kind: 'count' },
        { head: 'Taken', kind: 'count' },
      ],
      rows: weeksOf(period).map((monday) => {
        const found = of.get(monday);
        return [weekStart(monday, period), found?.joined ?? 0, found?.offered ?? 0, found?.taken ?? 0];
      }),
      charts: [1],
      hasSum: true,
    };
  },
};
