import { setImmediate as nextLoop } from 'node:timers/promises';

/** Runs CPU-bound tasks one at a time, taking turns between the addresses that ask for them. */
export type FairTurns = {
  /** Runs the task when its turn comes. Tasks under one key run in order; between keys turns rotate. */
  take<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** Milliseconds that the key whose turn is next has been waiting for it; 0 when nothing waits. */
  waitedMs(): number;
};

type Line = { since: number; tasks: (() => Promise<void>)[] };

/**
 * Pages are rendered by one thread. With first come, first served, one address with many requests would make everybody
 * wait for all of them; with turns, each address waits for one render of every other address.
 *
 * `loopsBetween` is the number of event loop iterations between two tasks, at least 1. React renders within one
 * microtask, so without an iteration no socket would be read between two pages. Each iteration accepts a single
 * connection, so several iterations keep new clients from queueing behind clients that reconnect.
 */
export function createFairTurns(loopsBetween: number, now = performance.now.bind(performance)): FairTurns {
  // In the order of their turns: a key that has had its turn moves to the end.
  const lines = new Map<string, Line>();
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (const [key, line] of lines) {
      lines.delete(key);
      const task = line.tasks.shift();
      if (line.tasks.length > 0) lines.set(key, { since: now(), tasks: line.tasks });
      await task?.();
      for (let loop = 0; loop < loopsBetween; loop += 1) await nextLoop();
    }
    running = false;
  }

  return {
    take(key, task) {
      return new Promise((resolve, reject) => {
        const line = lines.get(key) ?? { since: now(), tasks: [] };
        line.tasks.push(() => task().then(resolve, reject));
        lines.set(key, line);
        void run();
      });
    },
    waitedMs() {
      const [next] = lines.values();
      return next ? now() - next.since : 0;
    },
  };
}
