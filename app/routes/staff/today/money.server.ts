import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Period } from '#app/features/reports/period.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** How many enrolments are read of each: first debt long late, late, or due this week; the same for refunds. */
const most = 100;
/** From how many days on a debt counts as long late. */
const longDays = 14;

type Band = 'week' | 'late' | 'long';

/** Invoices, or open instalments of one; of refunds, enrolments. */
type Sum = { parts: number; cents: number; atLeast: boolean };

/**
 * Amounts due this week (from today to Sunday), up to 14 days late, and later than that; the report has these periods.
 */
export function dueIn(today: Day): Record<Band, Period> {
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
 * What is due this week, late, long late, and owed by the academy, in cents. Due is what `open_invoices` says, which
 * knows of undecided course dates and buyers who still choose (P39); it is counted as the report of what is owed lists
 * it. Where enrolments that were not read may have a part in a sum, `atLeast` says so.
 */
export async function moneyDue(db: Db, actor: StaffActor, today: Day): Promise<Record<Band | 'refunds', Sum>> {
  demand(actor, 'money:read');
  const { week, late, long } = dueIn(today);
  const first = (band: Band, period: Period) => sql`(select enrolment_id, ${band} as band from enrolment_list
    where due_on >= ${period.from} and due_on < ${period.end} order by due_on, enrolment_id limit ${most})`;
  const { rows } = await sql<{ band: Band; parts: number; cents: number; read: number }>`
    with read as (${first('long', long)} union all ${first('late', late)} union all ${first('week', week)}),
    due as (
      select open.due_cents,
        case when open.due_on >= ${week.from} then 'week' when open.due_on >= ${late.from} then 'late' else 'long' end as band
      from read cross join lateral open_invoices(read.enrolment_id) as open
      where open.due_on >= ${long.from} and open.due_on < ${week.end} and open.due_cents > 0
    )
    select band, (select count(*) from due where due.band = bands.band)::integer as parts,
      (select coalesce(sum(due_cents), 0) from due where due.band = bands.band)::bigint as cents,
      (select count(*) from read where read.band = bands.band)::integer as read
    from unnest(array['week', 'late', 'long']) as bands (band)`.execute(db);
  const refunds = await sql<{ parts: number; cents: number }>`
    select count(*)::integer as parts, coalesce(sum(-balance_cents), 0)::bigint as cents from (
      select balance_cents from enrolment_index where balance_cents < 0 order by enrolment_id limit ${most}) as owed`.execute(
    db,
  );
  const sumOf = (band: Band, earlier: readonly Band[] = []): Sum => {
    const { parts = 0, cents = 0 } = rows.find((one) => one.band === band) ?? {};
    // An enrolment is read by its first debt, and may have a later one.
    const atLeast = rows.some(({ band: its, read }) => [band, ...earlier].includes(its) && read >= most);
    return { parts, cents, atLeast };
  };
  const [owed] = refunds.rows;
  return {
    week: sumOf('week', ['late', 'long']),
    late: sumOf('late', ['long']),
    long: sumOf('long'),
    refunds: {
      parts: owed?.parts ?? 0,
      cents: Number(owed?.cents ?? 0),
      atLeast: (owed?.parts ?? 0) >= most,
    },
  };
}
