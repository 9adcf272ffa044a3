import type { Trx } from '#app/db/client.server.ts';

/** The course of a place that waits for its next date; null for any other place. */
export async function findCourseWithoutDate(trx: Trx, enrolmentId: number, placeId: number): Promise<number | null> {
  const place = await trx
    .selectFrom('places')
    .select('course_id')
    .where('id', '=', placeId)
    .where('enrolment_id', '=', enrolmentId)
    .where('way', '=', 'next-date')
    .executeTakeFirst();
  return place?.course_id ?? null;
}
