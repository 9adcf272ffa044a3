/** Signs and verifies badges in a thread of its own: entry of that thread in the built program. */
import { parentPort } from 'node:worker_threads';
import type { BadgeTask } from '#app/features/study/badges/badge.ts';
import { doHere } from '#app/features/study/badges/sign.ts';
import type { ThreadAnswer } from '#app/lib/thread-queue.ts';

parentPort?.on('message', async (task: BadgeTask) => {
  try {
    parentPort?.postMessage({ done: true, result: await doHere(task) } satisfies ThreadAnswer<unknown>);
  } catch (error) {
    parentPort?.postMessage({ done: false, error } satisfies ThreadAnswer<never>);
  }
});
