import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds, checking every few milliseconds; throws after `patienceMs`. A condition that asks
 * another program is checked less and less often, in pauses of a tenth of the time waited so far and of 250 ms at most,
 * so that asking does not keep that program busy.
 */
export async function until(holds: () => boolean | Promise<boolean>, patienceMs = 300_000): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const held = holds();
    if (await held) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > patienceMs) throw new Error(`Still not so after ${patienceMs} ms: ${holds}`);
    await sleep(held instanceof Promise ? Math.min(250, Math.max(5, waitedMs / 10)) : 5);
  }
}
