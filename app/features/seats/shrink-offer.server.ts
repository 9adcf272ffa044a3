import type { Trx } from '#app/db/client.server.ts';
import { endHold, type LockedSession } from './commands.server.ts';

/**
 * Lowers an open offer of seats in a locked session to `seats` of them and gives back the others. A hold never changes its
 * seats, so a smaller one takes its place, with the same end and the same draft.
 */
export async function shrinkOffer(
  trx: Trx,
  session: Pick<LockedSession, 'id' | 'left'>,
  { holdId, seats, at }: { holdId: number; seats: number; at: Date },
): Promise<void> {
  const hold = await trx
    .selectFrom('seat_holds')
    .select(['training_session_id', 'seats', 'purpose', 'draft_id', 'visitor', 'network', 'made_at', 'expires_at'])
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
  await endHold(trx, session, holdId, 'released', at);
  await trx
    .insertInto('seat_movements')
    .values({ training_session_id: session.id, kind: 'hold', seats, hold_id: smaller, at })
    .execute();
  session.left -= seats;
}
