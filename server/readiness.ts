import { setTimeout as sleep } from 'node:timers/promises';
import { readVersions } from '#app/features/snapshot/queries.server.ts';
import type { Services } from './services.ts';

const patienceMs = 2000;

/** Ready when the snapshot is loaded and the database answers within two seconds. */
export async function readiness(
  services: Services | null,
): Promise<{ ready: true } | { ready: false; reason: string }> {
  if (!services) return { ready: false, reason: 'snapshot not loaded' };
  const answered = await Promise.race([
    readVersions(services.database.db).then(
      () => true,
      () => false,
    ),
    sleep(patienceMs, false, { ref: false }),
  ]);
  return answered ? { ready: true } : { ready: false, reason: 'database not reachable' };
}
