import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Period } from '#app/features/reports/period.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** Of enrolments with something late, and of those with something due this week, so many are read; so are refunds. */
const most = 200;
/** From how many days on a debt counts as long late. */
const longDays = 14;

/** Invoices, or open instalments of one; of refunds, enrolments. */
type Sum = { parts: number; cents: number; atLeast: boolean };

/** What is due this week (from today to Sunday), up to 14 days late, and later than that: the report has these days. */
export function dueIn(today: Day): Record<'week' | 'late' | 'long', Period> {
  const end = addDays(today, ((7 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7) + 1);
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
 * of undecided course dates and buyers who still choose (P39); it is counted as the report of what is owed lists it. Of
 * more than 200 enrolments the rest is left out, and `atLeast` says so.
 */
export async function moneyDue(
  db: Db,
  actor: StaffActor,
  today: Day,
): Promise<Record<'week' | 'late' | 'long' | 'refunds', Sum>> {
  demand(actor, 'money:read');
  const { week, late, long } = dueIn(today);
  const part = (condition: ReturnType<typeof sql>) => sql`(select enrolment_id from enrolment_list
    where ${condition} order by due_on, enrolment_id limit ${most})`;
  const { rows } = await sql<{ band: 'week' | 'late' | 'long'; parts: number; cents: number; read: number }>`
    with read as (
      select enrolment_id, 'late' as part from ${part(sql`due_on < ${today}`)} as late
      union all
      select enrolment_id, 'week' from ${part(sql`due_on >= ${week.from} and due_on < ${week.end}`)} as week
    ), due as (
      select open.due_cents,
        case when open.due_on >= ${week.from} then 'week' when open.due_on >= ${late.from} then 'late' else 'long' end as band
      from read cross join lateral open_invoices(read.enrolment_id) as open
      where open.due_on >= ${long.from} and open.due_on < ${week.end} and open.due_cents > 0
    )
    select band, count(*)::integer as parts, sum(due_cents)::bigint as cents,
      (select count(*) from read where part = case band when 'week' then 'week' else 'late' end)::integer as read
    from due group by band`.execute(db);
  const refunds = await sql<{ parts: number; cents: number }>`
    select count(*)::integer as parts, coalesce(sum(-balance_cents), 0)::bigint as cents from (
      select balance_cents from enrolment_index where balance_cents < 0 order by enrolment_id limit ${most}) as owed`.execute(
    db,
  );
  const sumOf = (band: string): Sum => {
    const row = rows.find((one) => one.band === band);
    return { parts: row?.parts ?? 0, cents: Number(row?.cents ?? 0), atLeast: (row?.read ?? 0) >= most };
  };
  const [owed] = refunds.rows;
  return {
    week: sumOf('week'),
    late: sumOf('late'),
    long: sumOf('long'),
    refunds: {
      parts: owed?.parts ?? 0,
      cents: Number(owed?.cents ?? 0),
      atLeast: (owed?.parts ?? 0) >= most,
    },
  };
}
