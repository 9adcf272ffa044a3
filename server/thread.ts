import { Worker } from 'node:worker_threads';
import type { Thread, ThreadAnswer } from '#app/lib/thread-queue.ts';

/** A task that needs more memory ends its thread, and nothing else. */
const mostMegabytes = 512;

type Listeners<Result> = { answered(answer: ThreadAnswer<Result>): void; ended(why: string): void };

/** Starts a thread from a file that answers each message with a `ThreadAnswer`. `name` is shown to people who look at the process. */
export function startThread<Task, Result>(
  file: URL,
  name: string,
  { answered, ended }: Listeners<Result>,
): Thread<Task> {
  const worker = new Worker(file, { name, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } });
  let why = '';
  worker.on('message', (answer: ThreadAnswer<Result>) => {
    // A thread without work keeps no process running.
    worker.unref();
    answered(answer);
  });
  worker.on('error', (error) => {
    why = error instanceof Error ? error.message : String(error);
  });
  worker.on('exit', (code) => ended(why || `exit ${code}`));
  return {
    post(task) {
      worker.ref();
      worker.postMessage(task);
    },
    async end() {
      worker.removeAllListeners('exit');
      await worker.terminate();
    },
  };
}
