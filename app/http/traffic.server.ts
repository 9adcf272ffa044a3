import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { LRUCache } from 'lru-cache';
import { createContext } from 'react-router';
import { createArrivals, isRefused } from './admission.ts';
import type { VisitorNetworks } from './client-address.server.ts';
import { createFairTurns, type FairTurns } from './fair-turns.ts';
import { createPageCache, type PageCache } from './page-cache.server.ts';
import { createBackOff, retryPage } from './retry-page.server.ts';

type File = Uint8Array<ArrayBuffer>;

/** Cache of files that are made on request; the key describes what a file shows. */
type FileCache = {
  /**
   * The file of a key, made if it is not cached; simultaneous calls make it once. Rejects when `make` does; null, when
   * it cannot be made at the moment, is not kept.
   */
  get(key: string, make: () => Promise<File>): Promise<File>;
  get(key: string, make: () => Promise<File | null>): Promise<File | null>;
};

/** Keeps at most `maxBytes`; the least recently used files are removed first. */
export function createFileCache(maxBytes: number): FileCache {
  const kept = new LRUCache<string, File>({
    maxSize: maxBytes,
    sizeCalculation: (file, key) => file.byteLength + key.length,
  });
  const making = new Map<string, Promise<File | null>>();
  function get(key: string, make: () => Promise<File>): Promise<File>;
  function get(key: string, make: () => Promise<File | null>): Promise<File | null>;
  async function get(key: string, make: () => Promise<File | null>): Promise<File | null> {
    const file = kept.get(key);
    if (file) return file;
    const begun = making.get(key);
    if (begun) return begun;
    const made = make().finally(() => making.delete(key));
    making.set(key, made);
    const fresh = await made;
    if (fresh) kept.set(key, fresh);
    return fresh;
  }
  return { get };
}

type LoopDelay = {
  /**
   * The milliseconds by which the event loop was late on average, in the better of the last two windows: a single
   * stall, such as a garbage collection, is over before anything can be done about it.
   */
  sustainedMs(): number;
  stop(): void;
};

const resolutionMs = 20;
const windowMs = 500;

/** Measures the event loop's delay in windows of half a second. Neither timer keeps the process alive. */
export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let [before, last] = [0, 0];
  const timer = setInterval(() => {
    // Samples are the time from one tick to the next, the tick's own length included; without any, mean is not a number.
    before = last;
    last = histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  }, windowMs);
  timer.unref();
  return {
    sustainedMs: () => Math.min(before, last),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** Keeps one visitor, or many at once, from making the program unusable for the others. */
export type Traffic = {
  /** Requests that wait to be started. */
  arrivals: FairTurns;
  /** Pages and files that wait to be rendered. */
  turns: FairTurns;
  files: FileCache;
  /** Shared pages: those without a query, and lists and searches. */
  pages: { plain: PageCache; queries: PageCache };
  /**
   * Counts a request, and says whether it should be refused because the program is overloaded: networks that came often
   * in the last seconds are refused first, newcomers only when it is hopelessly behind. `sitesInFlight` is how many
   * have requests under way.
   */
  isBehind(visitor: VisitorNetworks, sitesInFlight: number): boolean;
  stop(): void;
};

/** Runs a CPU-bound task when it is the turn of this request's address. */
export type TakeTurn = <T>(task: () => Promise<T>) => Promise<T>;
export const takeTurnContext = createContext<TakeTurn>();
export const filesContext = createContext<FileCache>();

/** How long a visitor waits for turns at most while the load is ordinary: some 64 renders of 8 to 25 ms. */
const mostWaitMs = 1000;
const largestFilesBytes = 32 * 1024 * 1024;
const largestPlainBytes = 96 * 1024 * 1024;
const largestQueriesBytes = 24 * 1024 * 1024;

/** The state of this process; one for all its requests. `shedAfterMs` is how late the event loop may come. */
export function openTraffic(shedAfterMs: number): Traffic {
  const arrivals = createFairTurns(1);
  const turns = createFairTurns(16);
  const delay = watchLoopDelay();
  const arrived = createArrivals();
  // Requests that read from the database wait for a turn afterwards.
  const waitMs = (sitesInFlight: number) =>
    arrivals.waitMs() + Math.max(turns.waiting(), sitesInFlight) * turns.turnMs();
  const load = (sitesInFlight: number) =>
    Math.max(delay.sustainedMs() / shedAfterMs, waitMs(sitesInFlight) / mostWaitMs);
  return {
    arrivals,
    turns,
    files: createFileCache(largestFilesBytes),
    pages: { plain: createPageCache(largestPlainBytes), queries: createPageCache(largestQueriesBytes) },
    isBehind: (visitor, sitesInFlight) => isRefused(load(sitesInFlight), arrived.note(visitor, performance.now())),
    stop: delay.stop,
  };
}

/** Answers 503 while the program is overloaded; that is cheap, so the program can catch up. */
export function shedLoad(isBehind: (c: Context) => boolean) {
  const backOff = createBackOff(5);
  return createMiddleware(async (c, next) => {
    if (!isBehind(c)) return next();
    const text = 'More people are here than we can serve at once.';
    return retryPage(c.req.raw, {
      status: 503,
      title: 'Very busy',
      text,
      seconds: backOff.seconds(),
      headers: { Connection: 'close' },
    });
  });
}

/** Most simultaneous requests of one network; a browser has six connections, an office a few browsers. */
const mostInFlight = 32;
/** Requests of an IPv6 /48. */
const mostInFlightOfSite = 64;

/** The requests under way. */
export type InFlight = {
  /** Notes a request, unless its network has its share already. */
  enter(visitor: VisitorNetworks): boolean;
  leave(visitor: VisitorNetworks): void;
  /** How many sites have requests under way. */
  sites(): number;
};

export function createInFlight(): InFlight {
  const [ofCustomers, ofSites] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, key: string, number: number) => {
    const sum = (counts.get(key) ?? 0) + number;
    if (sum > 0) counts.set(key, sum);
    else counts.delete(key);
  };
  return {
    enter({ customer, site }) {
      if ((ofCustomers.get(customer) ?? 0) >= mostInFlight) return false;
      if ((ofSites.get(site) ?? 0) >= mostInFlightOfSite) return false;
      add(ofCustomers, customer, 1);
      add(ofSites, site, 1);
      return true;
    },
    leave({ customer, site }) {
      add(ofCustomers, customer, -1);
      add(ofSites, site, -1);
    },
    sites: () => ofSites.size,
  };
}

/**
 * Answers 429 to requests of one network beyond its share; pipelined requests count like any other. The rest start
 * when `arrive` resolves: if requests started as soon as they are read, a connection that keeps sending would be
 * answered without a break, and no other connection would be read.
 */
export function limitInFlight(
  inFlight: InFlight,
  networksOfRequest: (c: Context) => VisitorNetworks,
  arrive: (visitor: VisitorNetworks) => Promise<void>,
) {
  const backOff = createBackOff(2);
  return createMiddleware(async (c, next) => {
    const visitor = networksOfRequest(c);
    if (!inFlight.enter(visitor)) {
      return retryPage(c.req.raw, {
        status: 429,
        title: 'Too many at once',
        text: `We are answering many requests from your network already, so we did not answer this one.`,
        seconds: backOff.seconds(),
        headers: { Connection: 'close' },
      });
    }
    try {
      await arrive(visitor);
      return await next();
    } finally {
      inFlight.leave(visitor);
    }
  });
}
