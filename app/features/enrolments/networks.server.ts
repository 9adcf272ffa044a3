import type { Db } from '#app/db/client.server.ts';
import { forgetHoldNetworks } from '#app/features/course-dates/hold-pauses.server.ts';

/** How long the network from which an enrolment was placed is kept, as a keyed hash; /privacy says the same. */
export const networkKeptMs = 7 * 24 * 60 * 60 * 1000;

/** Takes the hashes of networks off enrolments after a week and off holds after some hours. */
export async function forgetNetworks(db: Db, at: Date): Promise<void> {
  await forgetHoldNetworks(db, at);
  await db
    .updateTable('enrolments')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('placed_at', '<', new Date(at.getTime() - networkKeptMs))
    .execute();
}
