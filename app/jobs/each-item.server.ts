import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { isConnectionFailure, limitReached } from '#app/db/connection-failure.server.ts';
import { fittingText } from '#app/db/fitting-text.ts';

type Items<Item> = {
  /** The name of the job, as `job_faults`, the log and the page for staff have it. */
  job: string;
  items: readonly Item[];
  /** Kind and id of an item, such as `place:12`; nothing that a person typed. */
  keyOf: (item: Item) => string;
  at: Date;
};

/**
 * Does the work of a periodic job for each item in a transaction of its own. An item that throws is rolled back and
 * recorded once in `job_faults`, which staff see; the others go on. Its row goes away when the item succeeds later.
 * An item whose statement waits for a lock or takes too long is such an item. Throws only when the database is away or
 * has no free connection: then the whole job is put off. Returns how many items answered true.
 */
export async function eachItem<Item>(
  db: Db,
  items: Items<Item>,
  work: (trx: Trx, item: Item) => Promise<boolean>,
): Promise<number> {
  return eachItemAlone(db, items, (item) => db.transaction().execute((trx) => work(trx, item)));
}

/** The same as `eachItem`, for work that asks another program and holds no transaction during it. */
export async function eachItemAlone<Item>(
  db: Db,
  { job, items, keyOf, at }: Items<Item>,
  work: (item: Item) => Promise<boolean>,
): Promise<number> {
  if (items.length === 0) return 0;
  const faulty = new Set(await faultyItems(db, job));
  let done = 0;
  for (const item of items) {
    const key = keyOf(item);
    try {
      if (await work(item)) done += 1;
      if (faulty.has(key)) await forgetFault(db, job, key);
    } catch (error) {
      if (isConnectionFailure(error) && !limitReached(error)) throw error;
      await recordFault(db, { job, item: key, error, at });
    }
  }
  return done;
}

/** The item that `job_faults` names when a job failed as a whole. */
export const wholeJob = 'part:all of it';

/**
 * The limit of a query for the items of a job: `most`, and as many more as failed before. So however many items fail each
 * time, they never keep the others from their turn.
 */
export const limitOf = (job: string, most: number) =>
  sql<number>`${sql.lit(most)} + (select count(*) from job_faults where job = ${job})`;

/** Does the parts of a job, by name, in their order; one that fails as a whole is recorded, and the others go on. */
export async function eachPart(
  db: Db,
  job: string,
  at: Date,
  parts: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const items = { job, items: Object.entries(parts), keyOf: ([name]: [string, unknown]) => `part:${name}`, at };
  await eachItemAlone(db, items, async ([, work]) => {
    await work();
    return true;
  });
}

/** Records that an item of a job failed; the first time staff are told, afterwards it is only counted. */
export async function recordFault(
  db: Db,
  { job, item, error, at }: { job: string; item: string; error: unknown; at: Date },
): Promise<void> {
  const message = fittingText(error instanceof Error ? error.message : String(error), 1000);
  await db
    .insertInto('job_faults')
    .values({ job, item, message, first_at: at, last_at: at })
    .onConflict((conflict) =>
      conflict.columns(['job', 'item']).doUpdateSet({ message, last_at: at, times: sql`job_faults.times + 1` }),
    )
    .execute();
}

/** An item works again: staff need not look at it any more. */
export async function forgetFault(db: Db, job: string, item: string): Promise<void> {
  await db.deleteFrom('job_faults').where('job', '=', job).where('item', '=', item).execute();
}

async function faultyItems(db: Db, job: string): Promise<string[]> {
  const rows = await db.selectFrom('job_faults').select('item').where('job', '=', job).execute();
  return rows.map(({ item }) => item);
}
