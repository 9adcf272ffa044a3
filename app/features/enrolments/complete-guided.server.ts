import type { Db } from '#app/db/client.server.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { addDays } from '#app/lib/dates.ts';

/** Access lasts at least so many days; a leap day adds one. */
const shortestAccessDays = 364;

/**
 * Completes the places of guided study whose access is over on the academy's day (P39, P40). No seat and no mail goes
 * with it. Returns how many. Several processes may do so at once.
 */
export async function completeGuided(db: Db, { today, now }: Pick<Moment, 'today' | 'now'>): Promise<number> {
  const rows = await db
    .selectFrom('places')
    .select(['id', 'enrolment_id', 'guided_from'])
    .where('way', '=', 'guided')
    .where('state', '=', 'active')
    .where('guided_from', '<', addDays(today, -shortestAccessDays))
    .orderBy('id')
    .execute();
  const items = rows.filter(({ guided_from }) => guided_from !== null && isAccessOver(guided_from, today));
  return eachItem(
    db,
    { job: 'complete guided study', items, keyOf: ({ id }) => `place:${id}`, at: now },
    async (trx, { id, enrolment_id }) => {
      // Wait for a cancellation that is under way.
      await trx.selectFrom('enrolments').select('id').where('id', '=', enrolment_id).forNoKeyUpdate().execute();
      const { numUpdatedRows } = await trx
        .updateTable('places')
        .set({ state: 'completed' })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  );
}
