import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';

const tables = ['bookings', 'notes', 'person_words'];

/** The bookings of a person, without the hashes of their private links. */
export const bookingRecords: PersonalRecords = {
  name: 'bookings',
  tables,
  async read(db, { id }) {
    const rows = await db.selectFrom('bookings').selectAll().where('person_id', '=', id).orderBy('id').execute();
    return rows.map(({ id: _, person_id: __, mailbox: ___, occupied: ____, ...row }) => row);
  },
  async erase(trx, { id }) {
    const { numDeletedRows } = await trx.deleteFrom('bookings').where('person_id', '=', id).executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows) };
  },
};

/**
 * The daily job: erases bookings that were last changed longer ago than the privacy page says they are kept. Returns
 * how many, null when it was done today.
 */
export async function expireBookingsDaily(db: Db, now: Date): Promise<number | null> {
  const { bookingMonths } = await readRetention(db);
  return doDaily(db, 'erase-bookings', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('bookings')
      .where('changed_at', '<', monthsBefore(now, bookingMonths))
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await noteErased(trx, tables);
    return Number(numDeletedRows);
  });
}
