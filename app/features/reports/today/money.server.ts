import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Period } from '#app/features/reports/period.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';

/** From how many days on a debt counts as long late. */
const longDays = 14;

type Band = 'week' | 'late' | 'long';

/** Invoices, or open instalments of one; of refunds, enrolments. */
type Sum = { parts: number; cents: number };

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
 * of undecided course dates and buyers who still choose (P39), as it was written down for lists; the report of what is
 * owed lists the same.
 */
export async function moneyDue(db: Db, actor: StaffActor, today: Day): Promise<Record<Band | 'refunds', Sum>> {
  requirePermission(actor, 'money:read');
  const sumOf = (name: Band, { from, end }: Period) => sql`
    select ${name}::text as name, count(*)::integer as parts, coalesce(sum(due_cents), 0)::bigint as cents
    from due_parts where due_on >= ${from} and due_on < ${end}`;
  const { week, late, long } = dueIn(today);
  const { rows } = await sql<Sum & { name: Band | 'refunds' }>`
    ${sumOf('week', week)} union all ${sumOf('late', late)} union all ${sumOf('long', long)}
    union all select 'refunds', count(*), coalesce(sum(-balance_cents), 0) from enrolment_list
      where balance_cents < 0`.execute(db);
  const of = (name: Band | 'refunds'): Sum => {
    const { parts = 0, cents = 0 } = rows.find((row) => row.name === name) ?? {};
    return { parts, cents };
  };
  return { week: of('week'), late: of('late'), long: of('long'), refunds: of('refunds') };
}
