import { setImmediate as nextLoop } from 'node:timers/promises';

/** Runs CPU-bound tasks one at a time, taking turns between the addresses that ask for them. */
export type FairTurns = {
  /** Runs the task when its turn comes. Tasks under one key run in order; between keys turns rotate. */
  take<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** How many keys wait for a turn: a new one waits for as many tasks. */
  waiting(): number;
};

/**
 * Pages are rendered by one thread. With first come, first served, one address with many requests would make everybody
 * wait for all of them; with turns, each address waits for one render of every other address.
 *
 * `loopsBetween` is the number of event loop iterations between two tasks, at least 1. React renders within one
 * microtask, so without an iteration no socket would be read between two pages. Each iteration accepts a single
 * connection, so several iterations keep new clients from queueing behind clients that reconnect.
 */
export function createFairTurns(loopsBetween: number): FairTurns {
  // In the order of their turns: a key that has had one goes to the end.
  const lines = new Map<string, (() => Promise<void>)[]>();
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (const [key, tasks] of lines) {
      lines.delete(key);
      const task = tasks.shift();
      if (tasks.length > 0) lines.set(key, tasks);
      await task?.();
      for (let loop = 0; loop < loopsBetween; loop += 1) await nextLoop();
    }
    running = false;
  }

  return {
    take(key, task) {
      return new Promise((resolve, reject) => {
        const tasks = lines.get(key) ?? [];
        tasks.push(() => task().then(resolve, reject));
        lines.set(key, tasks);
        void run();
      });
    },
    waiting: () => lines.size,
  };
}
