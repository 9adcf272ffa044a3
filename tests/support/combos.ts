import type { Db } from '#app/db/client.server.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { makeCourseDate, type OrderWish, orderOf, seatIn } from './enrolments.ts';

/** The courses of Cloud Defender (−30%), with their own price and their share of what it saves, in cents. */
const cloudDefender = [
  { slug: 'aws-cloud-practitioner', price: 149_900, saving: 44_985 },
  { slug: 'aws-security-specialty', price: 329_900, saving: 99_003 },
  { slug: 'ccsp', price: 429_900, saving: 129_012 },
] as const;

/** How each course is taken: the first day of a course date, `guided` from a Monday, or `later` on its next date. */
export type ComboWay = { startsOn: string; capacity?: number } | { guided: string } | 'later';

/** Places Cloud Defender for AU$6,367 for each attendee, with course dates of its own. */
export async function placeCombo(
  db: Db,
  ways: readonly [ComboWay, ComboWay, ComboWay],
  when: Moment,
  parts: OrderWish = {},
) {
  const choices: CourseChoice[] = [];
  for (const [at, { slug }] of cloudDefender.entries()) {
    const way = ways[at] ?? 'later';
    if (way === 'later' || 'guided' in way) {
      const { id: courseId } = await db
        .selectFrom('courses')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow();
      choices.push(way === 'later' ? { courseId, way: 'next-date' } : { courseId, way: 'guided', from: way.guided });
    } else choices.push(seatIn(await makeCourseDate(db, { course: slug, ...way })));
  }
  const { id: comboId } = await db
    .selectFrom('combos')
    .select('id')
    .where('slug', '=', 'cloud-defender')
    .executeTakeFirstOrThrow();
  const shownCents = 636_700 * (parts.attendees?.length ?? 1);
  const order = await orderOf(db, choices, { comboId, shownCents, ...parts });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, when));
  if (!placed.ok) throw new Error(JSON.stringify(placed));
  return { ...placed, order };
}
