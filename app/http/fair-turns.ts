import { setImmediate as nextLoop } from 'node:timers/promises';

/** Work that keeps the processor busy, one piece at a time, the addresses that ask for it in turn. */
export type FairTurns = {
  /** Runs the task when its turn comes. Tasks under one key run in order; between keys turns rotate. */
  take<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** How many keys wait for a turn: a new one waits for as many tasks. */
  waiting(): number;
};

/**
 * Pages are rendered by one thread. First come, first served would let one address with many requests make everybody
 * wait for all of them; in turns, each address waits for one render of every other.
 *
 * `loopsBetween` is how often the event loop goes round between two tasks, at least once. React renders within one
 * microtask, so that without it no socket would be read between two pages; and as each round accepts a single
 * connection, several rounds keep those who arrive from queueing behind those who reconnect.
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
