import type { Db } from '#app/db/client.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { termsId } from './enrolments.ts';

/** A place: of a course date, guided from a Monday, or on the list for the next date; prices in cents. */
export type Wanted = { course?: string; courseDate?: string; monday?: string; price?: number; discount?: number };

const at = new Date('2025-09-08T09:00:00+10:00');

/**
 * The rows of an enrolment with an attendee for each place, as placing writes them, but without seats, invoice and mail:
 * for tests of what comes after. `buyer` replaces columns of the enrolment.
 */
export async function writeEnrolment(
  db: Db,
  wanted: readonly Wanted[],
  buyer: object = {},
): Promise<{ id: number; reference: string; places: number[] }> {
  const { id, reference } = await db
    .insertInto('enrolments')
    .values({
      reference: newReference(),
      title: 'Test',
      buyer_name: 'Ada Byron',
      email: 'ada@example.com',
      mailbox: 'ada@example.com',
      payer: 'person',
      terms_id: await termsId(db),
      placed_at: at,
      changed_at: at,
      ...buyer,
    })
    .returning(['id', 'reference'])
    .executeTakeFirstOrThrow();
  const places: number[] = [];
  for (const { course = 'cissp', courseDate, monday, price = 229_900, discount = 0 } of wanted) {
    const found = courseDate
      ? await db
          .selectFrom('course_dates')
          .select(['id', 'course_id'])
          .where('slug', '=', courseDate)
          .executeTakeFirstOrThrow()
      : undefined;
    const courseId =
      found?.course_id ??
      (await db.selectFrom('courses').select('id').where('slug', '=', course).executeTakeFirstOrThrow()).id;
    const attendee = await db
      .insertInto('attendees')
      .values({ enrolment_id: id })
      .returning('id')
      .executeTakeFirstOrThrow();
    const one = await db
      .insertInto('places')
      .values({
        enrolment_id: id,
        attendee_id: attendee.id,
        course_id: courseId,
        way: found ? 'date' : monday ? 'guided' : 'next-date',
        course_date_id: found?.id ?? null,
        guided_from: monday ?? null,
        price_cents: price,
        discount_cents: discount,
        discount: discount > 0 ? 'Combo −30%' : null,
        placed_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    places.push(one.id);
  }
  return { id, reference, places };
}
