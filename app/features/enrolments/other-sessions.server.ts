import type { Trx } from '#app/db/client.server.ts';
import { seatsLeft, takesEnrolmentsOn } from '#app/features/seats/queries.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { lastFirstDay } from './last-first-day.ts';

/** Whether the course of a session has another date with a free seat to move to. */
export async function hasOtherSession(trx: Trx, sessionId: number, today: Day): Promise<boolean> {
  const rows = await trx
    .selectFrom('training_sessions')
    .select([seatsLeft])
    .where('id', '!=', sessionId)
    .where('course_id', '=', (query) =>
      query.selectFrom('training_sessions as own').select('own.course_id').where('own.id', '=', sessionId),
    )
    .where(takesEnrolmentsOn(today))
    .where('starts_on', '<=', lastFirstDay(today))
    .execute();
  return rows.some(({ left }) => left > 0);
}
