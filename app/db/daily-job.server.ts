import { academyDay } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import type { Db } from './client.server.ts';

/**
 * Does a job once a day (in Brisbane) however many processes there are. Returns its result, null when it was done
 * today. A row for each day, written in the same transaction, decides: if the process dies half-way, the day counts as
 * not done. A day further ahead than tomorrow was written by a clock that was wrong, and holds nothing up.
 */
export async function doDaily<T>(db: Db, name: string, now: Date, job: (trx: Db) => Promise<T>): Promise<T | null> {
  const today = academyDay(now);
  return db.transaction().execute(async (trx) => {
    const claimed = await trx
      .insertInto('daily_jobs')
      .values({ name, last_day: today })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ last_day: today })
          .where(({ or, eb }) =>
            or([eb('daily_jobs.last_day', '<', today), eb('daily_jobs.last_day', '>', addDays(today, 1))]),
          ),
      )
      .returning('name')
      .executeTakeFirst();
    return claimed ? job(trx) : null;
  });
}
