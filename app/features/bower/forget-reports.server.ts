import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';

/** How long a report about a bower is kept after staff settled it: long enough to notice a repeat. */
export const keptMonths = 12;

/**
 * The daily job: deletes reports of bowers that were settled more than twelve months ago. Returns how many, null when
 * done today.
 */
export function forgetReports(db: Db, now: Date): Promise<number | null> {
  return doDaily(db, 'forget-bower-reports', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('bower_reports')
      .where('settled_at', '<', monthsBefore(now, keptMonths))
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await noteErased(trx, ['bower_reports']);
    return Number(numDeletedRows);
  });
}
