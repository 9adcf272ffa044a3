import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds, checking every few milliseconds; throws after `patienceMs`. A condition that asks
 * another program is checked less and less often, up to every 50 ms, so that asking does not keep that program busy.
 */
export async function until(holds: () => boolean | Promise<boolean>, patienceMs = 30_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = 5; ; ) {
    const held = holds();
    if (await held) return;
    if (performance.now() > deadline) throw new Error(`Still not so after ${patienceMs} ms: ${holds}`);
    await sleep(pauseMs);
    if (held instanceof Promise) pauseMs = Math.min(50, pauseMs * 1.5);
  }
}
