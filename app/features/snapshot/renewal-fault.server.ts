import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { forgetFault, recordFault, wholeJob } from '#app/jobs/each-item.server.ts';
import type { Clock } from '#app/lib/clock.ts';

const job = 'renew pages';

/** Pages that were last compared with the database longer ago, in milliseconds, may be out of date. */
export const outOfDateMs = 60_000;

/**
 * Tells staff, as a fault of a job, when the snapshot could not be renewed for a minute although the database is there:
 * visitors then see old pages. `worked` takes it back, also what a process before this one recorded.
 */
export function renewalFault(db: Db, clock: Clock) {
  let since: number | null = null;
  let recordedAt = Number.NEGATIVE_INFINITY;
  let faulty = true;
  return {
    async worked(): Promise<void> {
      since = null;
      if (faulty) await forgetFault(db, job, wholeJob);
      faulty = false;
    },
    /** Rejects when the fault could not be recorded. */
    async failed(error: unknown): Promise<void> {
      const now = performance.now();
      since = databaseTrouble(error) === 'away' ? null : (since ?? now);
      if (since === null || now - since < outOfDateMs || now - recordedAt < outOfDateMs) return;
      faulty = true;
      await recordFault(db, { job, item: wholeJob, error, at: clock.now() });
      recordedAt = now;
    },
  };
}
