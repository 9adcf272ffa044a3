import type { Trx } from '#app/db/client.server.ts';
import { endHold, type LockedCourseDate } from './seats.server.ts';

/**
 * Lowers an open offer of seats in a locked course date to `seats` of them and gives back the others. A hold never changes its
 * seats, so a smaller one takes its place, with the same end and the same draft.
 */
export async function shrinkOffer(
  trx: Trx,
  courseDate: Pick<LockedCourseDate, 'id' | 'left'>,
  { holdId, seats, at }: { holdId: number; seats: number; at: Date },
): Promise<void> {
  const hold = await trx
    .selectFrom('seat_holds')
    .select(['course_date_id', 'seats', 'purpose', 'draft_id', 'visitor', 'network', 'made_at', 'expires_at'])
    .select('extended')
    .where('id', '=', holdId)
    .where('purpose', '=', 'offer')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (hold.seats <= seats) return;
  const { id: smaller } = await trx
    .insertInto('seat_holds')
    .values({ ...hold, seats })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Before the old one ends: an offer ends with its hold.
  await trx.updateTable('waiting_offers').set({ hold_id: smaller, seats }).where('hold_id', '=', holdId).execute();
  await endHold(trx, courseDate, holdId, 'released', at);
  await trx
    .insertInto('seat_movements')
    .values({ course_date_id: courseDate.id, kind: 'hold', seats, hold_id: smaller, at })
    .execute();
  courseDate.left -= seats;
}
