import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Message, whoGets } from './message.server.ts';
import type { Audience } from './recipients.server.ts';

/** Mails wait so long for one click that takes them back (P79). */
const takeBackMs = 60_000;
/** What one run may be for. */
export const mostItems = 5000;

/**
 * Fixes who gets a message to a course date and has it sent: after a minute, or from `dueAt` on (P80). Those who cannot get it
 * are not in the run; the page that fixed them has named them.
 */
export async function startMessage(
  trx: Trx,
  {
    sessionId,
    message,
    to,
    dueAt,
    actor,
  }: { sessionId: number; message: Message; to: readonly Audience[]; dueAt: Date | null; actor: StaffActor },
  moment: Moment,
): Promise<{ ok: true; runId: number; count: number } | { ok: false; reason: 'nobody' | 'too-many' }> {
  demand(actor, 'mail:send');
  demand(actor, 'attendees:read');
  const gets = (await whoGets(trx, sessionId, { to, marketing: message.marketing })).filter(
    ({ leftOut }) => leftOut === null,
  );
  if (gets.length === 0) return { ok: false, reason: 'nobody' };
  if (gets.length > mostItems) return { ok: false, reason: 'too-many' };
  const { subject, body, marketing } = message;
  const { id: runId } = await trx
    .insertInto('bulk_runs')
    .values({
      act: 'message',
      training_session_id: sessionId,
      subject,
      body,
      marketing,
      ...madeBy(actor, dueAt, moment),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addItems(trx, runId, gets);
  return { ok: true, runId, count: gets.length };
}

const madeBy = (actor: StaffActor, dueAt: Date | null, { now }: Moment) => ({
  made_by: actor.person.id,
  made_at: now,
  due_at: dueAt ?? new Date(now.getTime() + takeBackMs),
});

/** In one statement, however many there are. */
async function addItems(trx: Trx, runId: number, items: readonly { kind: string; id: number }[]): Promise<void> {
  const kinds = items.map(({ kind }) => kind);
  const ids = items.map(({ id }) => id);
  await sql`insert into bulk_run_items (run_id, about_kind, about_id)
    select ${runId}, kind, id from unnest(${kinds}::text[], ${ids}::bigint[]) with ordinality as asked (kind, id, place)
    order by place`.execute(trx);
}

/**
 * Stops a run: nothing more of it is done. Before its time that takes it back as a whole. What is done stays done;
 * returns how many items were done and how many were not.
 */
export async function stopRun(
  trx: Trx,
  { runId, actor }: { runId: number; actor: StaffActor },
  { now }: Moment,
): Promise<{ ok: true; done: number; undone: number } | { ok: false; reason: 'over' | 'unknown' }> {
  const run = await trx
    .selectFrom('bulk_runs')
    .select(['stopped_at', 'ended_at'])
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst();
  if (!run) return { ok: false, reason: 'unknown' };
  demand(actor, 'mail:send');
  if (run.stopped_at || run.ended_at) return { ok: false, reason: 'over' };
  await trx
    .updateTable('bulk_runs')
    .set({ stopped_at: now, stopped_by: actor.person.id })
    .where('id', '=', runId)
    .execute();
  const counted = await trx
    .selectFrom('bulk_run_items')
    .select([
      sql<number>`(count(*) filter (where state = 'done'))::integer`.as('done'),
      sql<number>`(count(*) filter (where state = 'to-do'))::integer`.as('undone'),
    ])
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { ok: true, ...counted };
}
