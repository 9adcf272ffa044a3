import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds, checking every few milliseconds; throws after `patienceMs`. */
export async function until(holds: () => boolean | Promise<boolean>, patienceMs = 10_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Still not so after ${patienceMs} ms: ${holds}`);
    await sleep(5);
  }
}
