import type { Trx } from '#app/db/client.server.ts';
import { readOwnOffers } from '#app/features/course-dates/own-offers.server.ts';
import { seatsLeft, takesEnrolmentsOn } from '#app/features/course-dates/seat-counts.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { lastFirstDay } from './last-first-day.ts';

/**
 * Whether the course of a course date has another date that a buyer could move to: one with a free seat, or one whose waiting
 * list keeps seats for their address (P40, P48).
 */
export async function hasOtherCourseDate(
  trx: Trx,
  { courseDateId, email, today }: { courseDateId: number; email: string; today: Day },
): Promise<boolean> {
  const rows = await trx
    .selectFrom('course_dates')
    .select(['id', seatsLeft])
    .where('id', '!=', courseDateId)
    .where('course_id', '=', (query) =>
      query.selectFrom('course_dates as own').select('own.course_id').where('own.id', '=', courseDateId),
    )
    .where(takesEnrolmentsOn(today))
    .where('starts_on', '<=', lastFirstDay(today))
    .execute();
  if (rows.some(({ left }) => left > 0)) return true;
  const offers = await readOwnOffers(trx, email);
  return rows.some(({ id }) => offers.has(id));
}
