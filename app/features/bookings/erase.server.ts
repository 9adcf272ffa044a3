import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { rewriteTables } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/site/queries.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';

const tables = ['bookings'];

/** What people booked, without the hashes of their private links. */
export const bookingRecords: PersonalRecords = {
  name: 'bookings',
  tables,
  async read(db, address) {
    const rows = await db
      .selectFrom('bookings')
      .selectAll()
      .where((row) => row(row.fn<string>('lower', ['email']), '=', address.toLowerCase()))
      .orderBy('id')
      .execute();
    return rows.map(({ id: _, mailbox: __, occupied: ___, ...row }) => row);
  },
  async erase(trx, address) {
    const { numDeletedRows } = await trx
      .deleteFrom('bookings')
      .where((row) => row(row.fn<string>('lower', ['email']), '=', address.toLowerCase()))
      .executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows) };
  },
};

/**
 * The daily job: erases bookings that were last changed longer ago than the privacy page says they are kept. Returns
 * how many, null when it was done today. `now` is the true time.
 */
export async function expireBookingsDaily(db: Db, now: Date): Promise<number | null> {
  const { bookingMonths } = await readRetention(db);
  const erased = await doDaily(db, 'erase-bookings', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('bookings')
      .where('changed_at', '<', monthsBefore(now, bookingMonths))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
  if (erased) await rewriteTables(db, tables);
  return erased;
}
