import { setImmediate as nextLoop } from 'node:timers/promises';
import type { VisitorNetworks } from './client-address.server.ts';

/** Runs CPU-bound tasks one at a time, taking turns between the networks that ask for them. */
export type FairTurns = {
  /**
   * Runs the task when its turn comes. Tasks of one customer run in order; between sites turns rotate, and within a
   * site between its customers.
   */
  take<T>(of: Asker, task: () => Promise<T>): Promise<T>;
  /** How many tasks a new site waits for. */
  waiting(): number;
  /** The recent average duration of a turn, in milliseconds. */
  turnMs(): number;
  /** How long a new site waits, in milliseconds, if turns take as long as lately. */
  waitMs(): number;
};
type Asker = Pick<VisitorNetworks, 'customer' | 'site'>;

/**
 * The assumed duration of a turn before the first, and its upper limit, so that one stall does not raise the average
 * for long.
 */
const firstTurnMs = 16;
const longestTurnMs = 250;
/** The share of the latest turn in what turns take lately: a rush is told while its requests still arrive. */
const shareOfLatest = 1 / 8;

/**
 * How long other work may take between two tasks before the next begins: on a busy loop a few iterations are enough.
 */
const longestBetweenMs = 8;

/** Turns that one site has in a round: one for each customer that waits, at most so many. */
const mostTurnsOfSite = 4;

/**
 * Pages are rendered by one thread. With first come, first served, one address with many requests would make everybody
 * wait for all of them; with turns, each address waits for one render of every other address. A visitor with a whole IPv6
 * /48 could come from 256 customers' networks, so a site's share is bounded as well.
 *
 * `loopsBetween` is the number of event loop iterations between two tasks, at least 1. React renders within one
 * microtask, so without an iteration no socket would be read between two pages. Each iteration accepts a single
 * connection, so several iterations keep new clients from queueing behind clients that reconnect.
 */
export function createFairTurns(loopsBetween: number): FairTurns {
  // Both in the order of their turns: one that had a turn goes to the end.
  const sites = new Map<string, Map<string, (() => Promise<void>)[]>>();
  let running = false;
  let turnMs = firstTurnMs;

  /** The next tasks of a site, one for each of its customers; its other tasks go to the end of the queue. */
  function nextOf(site: string, customers: Map<string, (() => Promise<void>)[]>): (() => Promise<void>)[] {
    const next: (() => Promise<void>)[] = [];
    for (const [customer, tasks] of [...customers].slice(0, mostTurnsOfSite)) {
      customers.delete(customer);
      const task = tasks.shift();
      if (task) next.push(task);
      if (tasks.length > 0) customers.set(customer, tasks);
    }
    sites.delete(site);
    if (customers.size > 0) sites.set(site, customers);
    return next;
  }

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (const [site, customers] of sites) {
      for (const task of nextOf(site, customers)) {
        const began = performance.now();
        await task();
        const done = performance.now();
        for (let loop = 0; loop < loopsBetween; loop += 1) {
          await nextLoop();
          if (performance.now() - done > longestBetweenMs) break;
        }
        turnMs += (Math.min(performance.now() - began, longestTurnMs) - turnMs) * shareOfLatest;
      }
    }
    running = false;
  }

  const waiting = () => [...sites.values()].reduce((sum, { size }) => sum + Math.min(size, mostTurnsOfSite), 0);

  return {
    take({ customer, site }, task) {
      return new Promise((resolve, reject) => {
        const customers = sites.get(site) ?? new Map<string, (() => Promise<void>)[]>();
        const tasks = customers.get(customer) ?? [];
        tasks.push(() => task().then(resolve, reject));
        customers.set(customer, tasks);
        sites.set(site, customers);
        void run();
      });
    },
    waiting,
    turnMs: () => turnMs,
    waitMs: () => waiting() * turnMs,
  };
}
