import type { Trx } from '#app/db/client.server.ts';
import { shrinkOfferHold } from '#app/features/course-dates/commands.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';

/** Lowers an open offer of seats in a locked course date to `seats` of them and gives back the others. */
export function shrinkOffer(
  trx: Trx,
  courseDate: Pick<LockedCourseDate, 'id' | 'left'>,
  { holdId, seats, at }: { holdId: number; seats: number; at: Date },
): Promise<void> {
  return shrinkOfferHold(trx, courseDate, { holdId, seats, at }, (smaller) =>
    trx.updateTable('waiting_offers').set({ hold_id: smaller, seats }).where('hold_id', '=', holdId).execute(),
  );
}
