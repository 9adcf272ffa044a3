import type { Db } from '#app/db/client.server.ts';
import { purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { comboRule } from '#app/features/money/refund-rule.ts';
import { refundText } from '#app/features/money/refund-words.ts';
import { academyDay } from '#app/lib/academy-day.ts';

/**
 * What accepting an offer means for a place that was bought without a date (P31): in words, what comes back of it, in a
 * combo of all of that, once it has the date; null where there is nothing to say. `wait`: how many places get no date by
 * it, because the offer has fewer seats.
 */
export async function readAfterAccepting(
  db: Db,
  {
    enrolmentId,
    courseId,
    courseDateId,
    seats,
  }: { enrolmentId: number; courseId: number; courseDateId: number; seats: number },
  now: Date,
): Promise<{ refund: string | null; wait: number }> {
  const enrolment = await readEnrolment(db, enrolmentId);
  const all = enrolment.places.filter(
    (one) => one.courseId === courseId && one.way === 'next-date' && one.state === 'active',
  );
  const [place] = all;
  if (!place) return { refund: null, wait: 0 };
  const { state, starts_on: firstDay } = await db
    .selectFrom('course_dates')
    .select(['starts_on', 'state'])
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  const today = academyDay(now);
  const bought = refundable(purchaseOf(enrolment, place, today), { charged: await chargedFor(db, enrolmentId), today });
  // Its invoice comes with the date, at the price that was agreed.
  const dated = { chargedCents: place.amountCents, boundAt: now, study: { way: 'date', firstDay, state } } as const;
  const courses = bought.courses.map((course) => (course.id === place.id ? { ...course, ...dated } : course));
  const free = state === 'tentative' ? '. Until we confirm the date, cancelling is free and nothing is due' : '';
  const rule = bought.combo ? `. ${comboRule}` : '';
  return {
    refund: `${refundText({ ...bought, courses }, now)}${free}${rule}`,
    wait: all.length - Math.min(seats, all.length),
  };
}
