import type { Db, Trx } from '#app/db/client.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/**
 * For how many days after the first day seats that were sold again are still refunded, in case the job did not run
 * earlier.
 */
const daysLate = 30;

/**
 * Cancelled places whose seats may still be sold again, so that the rest of the price is refunded (P40). The job takes
 * them from here, and so does who erases a buyer (P58): whoever may still get money is not erased.
 */
export const mayBeSoldAgain = (db: Db | Trx, today: Day) =>
  db
    .selectFrom('places')
    .innerJoin('training_sessions as session', 'session.id', 'places.training_session_id')
    .where('session.starts_on', '>=', addDays(today, -daysLate))
    .where('session.state', '<>', 'cancelled')
    .where('places.cancelled_why', 'in', ['buyer', 'staff'])
    .where('places.seat_sold_again_at', 'is', null);
