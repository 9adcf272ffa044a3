import type { Trx } from '#app/db/client.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';

/**
 * Confirms a locked course date whose minimum is reached (P39); to be called after its seats were sold, in the same
 * transaction. The day of confirmation is taken from `now`. True when this call confirmed
 * it: then invoices become due, and those who enrolled before are told.
 */
export async function confirmIfReached(trx: Trx, courseDate: LockedCourseDate, now: Date): Promise<boolean> {
  if (courseDate.state !== 'tentative' || courseDate.sold < courseDate.minimum) return false;
  await markConfirmed(trx, courseDate, now);
  return true;
}

/** Staff hold a confirmed course date although too few are in it (P39). False when it is not confirmed. */
export async function holdAnyway(
  trx: Trx,
  { id, state }: LockedCourseDate,
  { actor, at }: { actor: Actor; at: Date },
): Promise<boolean> {
  requirePermission(actor, 'course-dates:change');
  if (state !== 'confirmed') return false;
  await trx.updateTable('course_dates').set({ held_anyway_at: at }).where('id', '=', id).execute();
  return true;
}

/** Confirms a locked course date, however many have enrolled. */
export async function markConfirmed(trx: Trx, courseDate: LockedCourseDate, now: Date): Promise<void> {
  await trx
    .updateTable('course_dates')
    .set({ state: 'confirmed', confirmed_on: academyDay(now) })
    .where('id', '=', courseDate.id)
    .execute();
  courseDate.state = 'confirmed';
}
