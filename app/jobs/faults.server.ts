import type { Db, Trx } from '#app/db/client.server.ts';

/** How many items failed and were not mended since. */
export async function countFaults(db: Db): Promise<number> {
  const query = db.selectFrom('job_faults').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Forgets the faults that no job has come across since `at`: their items are gone. */
export async function forgetFaultsBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('job_faults').where('last_at', '<', at).execute();
}

/** Marks the faults that are not in the log yet, and returns them. */
export function markFaultsLogged(db: Db, at: Date) {
  return db
    .updateTable('job_faults')
    .set({ logged_at: at })
    .where('logged_at', 'is', null)
    .returning(['job', 'item', 'message'])
    .execute();
}

/** When the academy was last told of a fault that is still there; null for never. */
export async function lastFaultToldAt(db: Db): Promise<Date | null> {
  const query = db.selectFrom('job_faults').select(({ fn }) => fn.max('told_at').as('last'));
  return (await query.executeTakeFirstOrThrow()).last;
}

/** Locks the faults of which the academy was not told, oldest first. */
export function lockUntoldFaults(trx: Trx) {
  return trx
    .selectFrom('job_faults')
    .select(['job', 'item'])
    .where('told_at', 'is', null)
    .orderBy('first_at')
    .forUpdate()
    .execute();
}

export async function markFaultsTold(trx: Trx, at: Date): Promise<void> {
  await trx.updateTable('job_faults').set({ told_at: at }).where('told_at', 'is', null).execute();
}
