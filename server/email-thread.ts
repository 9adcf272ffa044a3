/** Reads emails in a thread of its own: entry of that thread in the built program. */
import { parentPort } from 'node:worker_threads';
import type { EmailTask } from '#app/features/inbox/email/email.ts';
import { readHere } from '#app/features/inbox/email/parse.ts';
import type { ThreadAnswer } from '#app/lib/thread-queue.ts';

parentPort?.on('message', async (task: EmailTask) => {
  try {
    parentPort?.postMessage({ done: true, result: await readHere(task) } satisfies ThreadAnswer<unknown>);
  } catch (error) {
    parentPort?.postMessage({ done: false, error } satisfies ThreadAnswer<never>);
  }
});
