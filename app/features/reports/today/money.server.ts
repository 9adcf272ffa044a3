import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { type Band, dueIn } from '#app/features/enrolments/owed.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';

type DueBand = Exclude<Band, 'later'>;

/** Invoices, or open instalments of one; of refunds, enrolments. */
type Sum = { parts: number; cents: number };

/**
 * What is due this week, late, long late, and owed by the academy, in cents. Due is what `open_invoices` says, which knows
 * of undecided course dates and buyers who still choose (P39), as it was written down for lists; the list of who owes has
 * the same bands.
 */
export async function moneyDue(db: Db, actor: StaffActor, today: Day): Promise<Record<DueBand | 'refunds', Sum>> {
  requirePermission(actor, 'money:read');
  const sumOf = (name: DueBand) => sql`
    select ${name}::text as name, count(*)::integer as parts, coalesce(sum(due_cents), 0)::bigint as cents
    from due_parts part where ${dueIn(name, today)}`;
  const { rows } = await sql<Sum & { name: DueBand | 'refunds' }>`
    ${sumOf('week')} union all ${sumOf('late')} union all ${sumOf('long')}
    union all select 'refunds', count(*), coalesce(sum(-balance_cents), 0) from enrolment_list
      where balance_cents < 0`.execute(db);
  const of = (name: DueBand | 'refunds'): Sum => {
    const { parts = 0, cents = 0 } = rows.find((row) => row.name === name) ?? {};
    return { parts, cents };
  };
  return { week: of('week'), late: of('late'), long: of('long'), refunds: of('refunds') };
}
