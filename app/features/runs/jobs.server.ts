import type { Db, Trx } from '#app/db/client.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { sendMessageTo } from './message.server.ts';

/** So many items at a time; the rest is done when the job is run again, seconds later. */
const atOnce = 200;

/**
 * Does what is due of the runs (P79), an item a transaction: what a process that ended has begun is undone and done by the next
 * one, and of two processes one takes an item. Nothing of a stopped run is done. Returns how many items were settled.
 */
export async function doRuns(db: Db, moment: Moment): Promise<number> {
  const { now } = moment;
  const items = await db
    .selectFrom('bulk_run_items')
    .innerJoin('bulk_runs', 'bulk_runs.id', 'run_id')
    .select('bulk_run_items.id')
    .where('bulk_run_items.state', '=', 'to-do')
    .where('stopped_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('bulk_run_items.id')
    .limit(atOnce)
    .execute();
  const settled = await eachItem(
    db,
    { job: 'do what was asked for many', items, keyOf: ({ id }) => `run-item:${id}`, at: now },
    (trx, { id }) => settleItem(trx, id, moment),
  );
  await db
    .updateTable('bulk_runs')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('stopped_at', 'is', null)
    .where('due_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_run_items')
            .select('bulk_run_items.id')
            .whereRef('run_id', '=', 'bulk_runs.id')
            .where('bulk_run_items.state', '=', 'to-do'),
        ),
      ),
    )
    .execute();
  return settled;
}

async function settleItem(trx: Trx, id: number, moment: Moment): Promise<boolean> {
  const item = await trx
    .selectFrom('bulk_run_items')
    .select(['run_id', 'about_kind', 'about_id'])
    .where('id', '=', id)
    .where('state', '=', 'to-do')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!item) return false;
  // Whoever stops the run waits for this item, and the next one sees it.
  const run = await trx
    .selectFrom('bulk_runs')
    .select(['training_session_id', 'subject', 'body', 'marketing'])
    .where('id', '=', item.run_id)
    .where('stopped_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (!run) return false;
  const why = await act(trx, id, item, run, moment);
  await trx
    .updateTable('bulk_run_items')
    .set({ state: why === null ? 'done' : 'left-out', why, settled_at: moment.now })
    .where('id', '=', id)
    .execute();
  return true;
}

type Run = {
  training_session_id: number | null;
  subject: string | null;
  body: string | null;
  marketing: boolean;
};

/** Sends the message to an item's person; returns why it is left out, or null. */
async function act(
  trx: Trx,
  id: number,
  { about_kind, about_id }: { about_kind: string; about_id: number },
  { training_session_id: sessionId, subject, body, marketing }: Run,
  moment: Moment,
): Promise<string | null> {
  // A check constraint of the table allows no message without them.
  if (sessionId === null || subject === null || body === null) throw new Error('a message without its words');
  const message = { subject, body, marketing };
  return sendMessageTo(
    trx,
    { sessionId, message, item: { kind: about_kind, id: about_id }, key: `run-item:${id}` },
    moment,
  );
}
