import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { countEnrolments } from './enrolment-list.server.ts';

/** Up to which number each is counted. */
export const mostTodo = 99;

/**
 * Tasks that are counted as a whole: enrolments whose buyers may choose, and jobs that failed; 0 for whoever may not see
 * them. `today` is the academy's day.
 */
export async function countTodo(db: Db, actor: StaffActor, today: Day) {
  requirePermission(actor, 'todo:read');
  const sees = actor.can.has('enrolments:read');
  return {
    faults: actor.can.has('faults:read') ? await countFaults(db) : 0,
    choosing: sees ? await countEnrolments(db, 'choosing', today, mostTodo) : 0,
  };
}

async function countFaults(db: Db): Promise<number> {
  const { rows } = await sql<{ faults: number }>`
    select count(*)::integer as faults from (select from job_faults limit ${mostTodo}) f`.execute(db);
  return rows[0]?.faults ?? 0;
}

/** How many payments and bank lines name no enrolment yet; up to `mostTodo` of each. */
export async function countToMatch(db: Db, actor: StaffActor): Promise<number> {
  requirePermission(actor, 'money:read');
  const { rows } = await sql<{ count: number }>`select
    (select count(*)::integer from (select from payments
      where enrolment_id is null and set_aside_at is null limit ${mostTodo}) p)
    + (select count(*)::integer from (select from bank_lines where state = 'open' limit ${mostTodo}) l) as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
