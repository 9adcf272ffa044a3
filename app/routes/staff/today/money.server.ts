import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** Of invoices that are late, and of those due this week, at most so many enrolments are read; so are refunds. */
const most = 200;
/** From how many days on a debt counts as long late. */
const longDays = 14;

type Sum = { enrolments: number; cents: number; atLeast: boolean };

/**
 * What is due this week (from today to Sunday), up to 14 days late, later than that, and owed by the academy, in cents.
 * Due is what `open_invoices` says, which knows of undecided course dates and buyers who still choose (P39). Of more than
 * 200 enrolments the rest is left out, and `atLeast` says so.
 */
export async function moneyDue(
  db: Db,
  actor: StaffActor,
  today: Day,
): Promise<Record<'week' | 'late' | 'long' | 'refunds', Sum>> {
  demand(actor, 'money:read');
  const sunday = addDays(today, (7 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7);
  const part = (condition: ReturnType<typeof sql>) => sql`(select enrolment_id from enrolment_index
    where balance_cents > 0 and ${condition} order by due_on, enrolment_id limit ${most})`;
  const { rows } = await sql<{ band: 'week' | 'late' | 'long'; enrolments: number; cents: number; read: number }>`
    with read as (
      select enrolment_id, 'late' as part from ${part(sql`due_on < ${today}`)} as late
      union all
      select enrolment_id, 'week' from ${part(sql`due_on between ${today} and ${sunday}`)} as week
    ), due as (
      select read.enrolment_id, open.due_cents,
        case when open.due_on >= ${today} then 'week' when open.due_on >= ${addDays(today, -longDays)} then 'late' else 'long' end as band
      from read cross join lateral open_invoices(read.enrolment_id) as open
      where open.due_on <= ${sunday} and open.due_cents > 0
    )
    select band, count(distinct enrolment_id)::integer as enrolments, sum(due_cents)::bigint as cents,
      (select count(*) from read where part = case band when 'week' then 'week' else 'late' end)::integer as read
    from due group by band`.execute(db);
  const refunds = await sql<{ enrolments: number; cents: number }>`
    select count(*)::integer as enrolments, coalesce(sum(-balance_cents), 0)::bigint as cents from (
      select balance_cents from enrolment_index where balance_cents < 0 order by enrolment_id limit ${most}) as owed`.execute(
    db,
  );
  const sumOf = (band: string): Sum => {
    const row = rows.find((one) => one.band === band);
    return { enrolments: row?.enrolments ?? 0, cents: Number(row?.cents ?? 0), atLeast: (row?.read ?? 0) >= most };
  };
  const [owed] = refunds.rows;
  return {
    week: sumOf('week'),
    late: sumOf('late'),
    long: sumOf('long'),
    refunds: {
      enrolments: owed?.enrolments ?? 0,
      cents: Number(owed?.cents ?? 0),
      atLeast: (owed?.enrolments ?? 0) >= most,
    },
  };
}
