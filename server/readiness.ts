import { setTimeout as sleep } from 'node:timers/promises';
import { damageOf } from '#app/db/client.server.ts';
import { proveWrite, type WriteProof } from '#app/db/prove-write.server.ts';
import type { Services } from './services.ts';

const patienceMs = 2000;
const freshMs = 1000;

/** The last check of each program's database, shared so that simultaneous requests cost one write. */
const looks = new WeakMap<Services, { at: number; proof: Promise<WriteProof> }>();

/**
 * Ready when the snapshot is loaded, the program is not stopping, the clock is right, and the database can write and read what it
 * holds; a
 * database that is busy with others is ready (P88). The check has a connection of its own and fails after two seconds; its result is reused for
 * one second.
 */
export async function readiness(
  services: Services | null,
): Promise<{ ready: true } | { ready: false; reason: string }> {
  if (!services) return { ready: false, reason: 'snapshot not loaded' };
  if (services.stopping) return { ready: false, reason: 'stopping' };
  const wrongClock = services.database.time.fault();
  if (wrongClock) return { ready: false, reason: wrongClock };
  const damage = damageOf(services.database.db);
  if (damage) return { ready: false, reason: `database damaged: ${damage}` };
  const proof = await look(services);
  return proof.ok ? { ready: true } : { ready: false, reason: `database ${proof.reason}` };
}

/** Whether the database can write, found out at most once a second. */
export function look(services: Services): Promise<WriteProof> {
  const last = looks.get(services);
  if (last && performance.now() - last.at < freshMs) return last.proof;
  const late: WriteProof = { ok: false, reason: 'not reachable' };
  const proof = Promise.race([proveWrite(services.database.probe), sleep(patienceMs, late, { ref: false })]);
  looks.set(services, { at: performance.now(), proof });
  return proof;
}
