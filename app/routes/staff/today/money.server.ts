import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Period } from '#app/features/reports/period.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';

/** How many open parts of invoices are added up for each sum, the earliest due first. */
const most = 10_000;
/** How many enrolments with a refund to send are counted. */
const mostRefunds = 100;
/** From how many days on a debt counts as long late. */
const longDays = 14;

type Band = 'week' | 'late' | 'long';

/** Invoices, or open instalments of one; of refunds, enrolments. */
type Sum = { parts: number; cents: number; atLeast: boolean };

/**
 * Amounts due this week (from today to Sunday), up to 14 days late, and later than that; the report has these periods.
 */
export function dueIn(today: Day): Record<Band, Period> {
  const end = addDays(mondayOf(today), 7);
  const longBefore = addDays(today, -longDays);
  return {
    week: { from: today, end },
    late: { from: longBefore, end: today },
    // The longest period that a report has.
    long: { from: addDays(today, -1096), end: longBefore },
  };
}

/**
 * What is due this week, late, long late, and owed by the academy, in cents. Due is what `open_invoices` says, which knows
 * of undecided course dates and buyers who still choose (P39), as it was written down for lists (decision 127); the report
 * of what is owed lists the same. Where more is due than was added up, `atLeast` says so.
 */
export async function moneyDue(
  db: Db,
  actor: StaffActor,
  today: Day,
  mostParts = most,
): Promise<Record<Band | 'refunds', Sum>> {
  requirePermission(actor, 'money:read');
  const sumOf = ({ from, end }: Period) => sql`
    select count(*)::integer as parts, coalesce(sum(due_cents), 0)::bigint as cents, count(*) >= ${mostParts} as "atLeast"
    from (select due_cents from due_parts where due_on >= ${from} and due_on < ${end}
      order by due_on, enrolment_id limit ${mostParts}) as due`;
  const { week, late, long } = dueIn(today);
  const { rows } = await sql<Sum & { name: Band | 'refunds' }>`
    select 'week' as name, week.* from (${sumOf(week)}) as week
    union all select 'late', late.* from (${sumOf(late)}) as late
    union all select 'long', long.* from (${sumOf(long)}) as long
    union all select 'refunds', count(*), coalesce(sum(-balance_cents), 0), count(*) >= ${mostRefunds} from (
      select balance_cents from enrolment_index where balance_cents < 0
      order by enrolment_id limit ${mostRefunds}) as owed`.execute(db);
  const nothing: Sum = { parts: 0, cents: 0, atLeast: false };
  const of = (name: Band | 'refunds'): Sum => {
    const { parts, cents, atLeast } = rows.find((row) => row.name === name) ?? nothing;
    return { parts, cents, atLeast };
  };
  return { week: of('week'), late: of('late'), long: of('long'), refunds: of('refunds') };
}
