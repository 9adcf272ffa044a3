import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { sessionsBelowMinimum, sessionsWithoutWayIn } from '#app/features/enrolments/session-attention.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { countEnrolments } from './enrolments/enrolments.server.ts';

/** Up to which number each is counted. */
export const mostTodo = 99;

/** What of sessions, enrolments and money waits for a person. `today` is the academy's day. */
export async function countTodo(db: Db, today: Day) {
  const { rows } = await sql<{
    sessions: number;
    unmatched: number;
    outgoing: number;
    failedRefunds: number;
    failedMails: number;
    faults: number;
  }>`select
    (select count(*)::integer from training_sessions
      where state = 'tentative' and decided_by <= ${today} and ends_on >= ${today} and retired_at is null) as sessions,
    (select count(*)::integer from (select from payments where enrolment_id is null limit ${mostTodo}) p) as unmatched,
    (select count(*)::integer from (select from bank_lines where state = 'open' limit ${mostTodo}) l) as outgoing,
    (select count(*)::integer from (
      select distinct payments.enrolment_id from refunds join payments on payments.id = payment_id
      join enrolment_index on enrolment_index.enrolment_id = payments.enrolment_id
      where refunds.state = 'failed' and balance_cents < 0 limit ${mostTodo}) r) as "failedRefunds",
    (select count(*)::integer from (select from mails where state = 'failed' limit ${mostTodo}) m) as "failedMails",
    (select count(*)::integer from (select from job_faults limit ${mostTodo}) f) as faults`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('counts have one row');
  return {
    ...counts,
    belowMinimum: (await sessionsBelowMinimum(db, today)).length,
    wayIn: (await sessionsWithoutWayIn(db, today)).length,
    overdue: await countEnrolments(db, 'overdue', today, mostTodo),
    refunds: await countEnrolments(db, 'overpaid', today, mostTodo),
    choosing: await countEnrolments(db, 'choosing', today, mostTodo),
  };
}
