import type { Trx } from '#app/db/client.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { LockedSession } from '#app/features/seats/commands.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';

/**
 * Confirms a locked session whose minimum is reached (P39); to be called after its seats were sold, in the same
 * transaction. The day of confirmation is taken from `now`. True when this call confirmed
 * it: then invoices become due, and those who enrolled before are told.
 */
export async function confirmIfReached(trx: Trx, session: LockedSession, now: Date): Promise<boolean> {
  if (session.state !== 'tentative' || session.sold < session.minimum) return false;
  await markConfirmed(trx, session, now);
  return true;
}

/** Staff hold a confirmed session although too few are in it (P39). False when it is not confirmed. */
export async function holdAnyway(
  trx: Trx,
  { id, state }: LockedSession,
  { actor, at }: { actor: Actor; at: Date },
): Promise<boolean> {
  requirePermission(actor, 'sessions:change');
  if (state !== 'confirmed') return false;
  await trx.updateTable('training_sessions').set({ held_anyway_at: at }).where('id', '=', id).execute();
  return true;
}

/** Confirms a locked session, however many have enrolled. */
export async function markConfirmed(trx: Trx, session: LockedSession, now: Date): Promise<void> {
  await trx
    .updateTable('training_sessions')
    .set({ state: 'confirmed', confirmed_on: academyDay(now) })
    .where('id', '=', session.id)
    .execute();
  session.state = 'confirmed';
}
