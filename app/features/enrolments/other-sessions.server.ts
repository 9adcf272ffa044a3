import type { Trx } from '#app/db/client.server.ts';
import { readOwnOffers } from '#app/features/seats/own-offers.server.ts';
import { seatsLeft, takesEnrolmentsOn } from '#app/features/seats/queries.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { lastFirstDay } from './last-first-day.ts';

/**
 * Whether the course of a session has another date that a buyer could move to: one with a free seat, or one whose waiting
 * list keeps seats for their address (P40, P48).
 */
export async function hasOtherSession(
  trx: Trx,
  { sessionId, email, today }: { sessionId: number; email: string; today: Day },
): Promise<boolean> {
  const rows = await trx
    .selectFrom('training_sessions')
    .select(['id', seatsLeft])
    .where('id', '!=', sessionId)
    .where('course_id', '=', (query) =>
      query.selectFrom('training_sessions as own').select('own.course_id').where('own.id', '=', sessionId),
    )
    .where(takesEnrolmentsOn(today))
    .where('starts_on', '<=', lastFirstDay(today))
    .execute();
  if (rows.some(({ left }) => left > 0)) return true;
  const offers = await readOwnOffers(trx, email);
  return rows.some(({ id }) => offers.has(id));
}
