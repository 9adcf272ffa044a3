import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { isConnectionFailure, limitReached } from '#app/db/connection-failure.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItemAlone } from '#app/jobs/each-item.server.ts';
import { jobOfRuns } from './acts.ts';
import { doItem } from './do-item.server.ts';

/** So many items at a time; the rest is done when the job is run again, seconds later. */
const atOnce = 200;
/** An item at which the program fails so often is left out: staff find the fault among the jobs that failed. */
const mostTries = 3;

/**
 * Does what is due of the runs (P79), an item a transaction: what a process that ended has begun is undone and done by the next
 * one, and of two processes one takes an item. Nothing of a stopped run is done. Items that failed come after the others.
 * Returns how many items were settled.
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
    .orderBy('tries')
    .orderBy('bulk_run_items.id')
    .limit(atOnce)
    .execute();
  const settled = await eachItemAlone(
    db,
    { job: jobOfRuns, items, keyOf: ({ id }) => `run-item:${id}`, at: now },
    async ({ id }) => {
      try {
        return await db.transaction().execute((trx) => settleItem(trx, id, moment));
      } catch (error) {
        // Who waits for a lock does so because of others, and is not left out for it.
        if (!isConnectionFailure(error) || limitReached(error) === 'time') await countTry(db, id, now);
        throw error;
      }
    },
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
    .select(['id', 'run_id', 'about_kind', 'about_id', 'training_session_id'])
    .where('id', '=', id)
    .where('state', '=', 'to-do')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!item) return false;
  // A person who stops the run waits for this item, and the next item sees that it was stopped.
  const run = await trx
    .selectFrom('bulk_runs')
    .select([
      'id',
      'act',
      'made_by',
      'made_at',
      'training_session_id',
      'once_for',
      'subject',
      'body',
      'marketing',
      'until',
      'reason',
    ])
    .where('id', '=', item.run_id)
    .where('stopped_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (!run) return false;
  const outcome = await doItem(trx, run, item, moment);
  if (outcome.state === 'to-do') return false;
  await trx
    .updateTable('bulk_run_items')
    .set({
      ...(outcome.state === 'done'
        ? { state: outcome.state, mail_id: outcome.mailId }
        : { state: outcome.state, why: outcome.why }),
      settled_at: moment.now,
    })
    .where('id', '=', id)
    .execute();
  return true;
}

/** Counts that the program failed at an item; the last time it is left out, so that its run comes to an end. */
async function countTry(db: Db, id: number, at: Date): Promise<void> {
  const { tries } = await db
    .updateTable('bulk_run_items')
    .set({ tries: sql<number>`tries + 1` })
    .where('id', '=', id)
    .returning('tries')
    .executeTakeFirstOrThrow();
  if (tries < mostTries) return;
  await db
    .updateTable('bulk_run_items')
    .set({ state: 'left-out', why: 'fault', settled_at: at })
    .where('id', '=', id)
    .where('state', '=', 'to-do')
    .execute();
}
