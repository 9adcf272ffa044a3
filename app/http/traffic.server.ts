import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { createContext } from 'react-router';
import { createFairTurns, type FairTurns } from './fair-turns.ts';
import { createFileCache, type FileCache } from './file-cache.server.ts';
import { watchLoopDelay } from './loop-delay.server.ts';
import { createPageCache, type PageCache } from './page-cache.server.ts';
import { createBackOff, retryPage } from './retry-page.server.ts';

/** Keeps one visitor, or many at once, from making the program unusable for the others (decision 13). */
export type Traffic = {
  /** Requests that wait to be started. */
  arrivals: FairTurns;
  /** Pages and files that wait to be rendered. */
  turns: FairTurns;
  files: FileCache;
  /** Shared pages: those without a query, and lists and searches. */
  pages: { plain: PageCache; queries: PageCache };
  /** True when the program is overloaded and should refuse new requests. */
  isBehind(): boolean;
  stop(): void;
};

/** Runs a CPU-bound task when it is the turn of this request's address. */
export type TakeTurn = <T>(task: () => Promise<T>) => Promise<T>;
export const takeTurnContext = createContext<TakeTurn>();
export const filesContext = createContext<FileCache>();

/** A render takes 8 to 25 ms, so that the last of them waits about a second. */
const mostNetworksWaiting = 64;
const largestFilesBytes = 32 * 1024 * 1024;
const largestPlainBytes = 96 * 1024 * 1024;
const largestQueriesBytes = 24 * 1024 * 1024;

/** The state of this process; one for all its requests. `shedAfterMs` is how late the event loop may come. */
export function openTraffic(shedAfterMs: number): Traffic {
  const arrivals = createFairTurns(1);
  const turns = createFairTurns(16);
  const delay = watchLoopDelay();
  return {
    arrivals,
    turns,
    files: createFileCache(largestFilesBytes),
    pages: { plain: createPageCache(largestPlainBytes), queries: createPageCache(largestQueriesBytes) },
    isBehind: () => delay.sustainedMs() > shedAfterMs || arrivals.waiting() + turns.waiting() > mostNetworksWaiting,
    stop: delay.stop,
  };
}

/** Answers 503 while the program is overloaded; that is cheap, so the program can catch up. */
export function shedLoad(isBehind: () => boolean) {
  const backOff = createBackOff(5);
  return createMiddleware(async (c, next) => {
    if (!isBehind()) return next();
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

/**
 * Answers 429 to requests of one network beyond its share; pipelined requests count like any other. The rest start
 * when `arrive` resolves: if requests started as soon as they are read, a connection that keeps sending would be
 * answered without a break, and no other connection would be read.
 */
export function limitInFlight(networkOfRequest: (c: Context) => string, arrive: (network: string) => Promise<void>) {
  const inFlight = new Map<string, number>();
  const backOff = createBackOff(2);
  return createMiddleware(async (c, next) => {
    const network = networkOfRequest(c);
    const others = inFlight.get(network) ?? 0;
    if (others >= mostInFlight) {
      return retryPage(c.req.raw, {
        status: 429,
        title: 'Too many at once',
        text: `More than ${mostInFlight} requests from your network are under way. This one was not looked at.`,
        seconds: backOff.seconds(),
        headers: { Connection: 'close' },
      });
    }
    inFlight.set(network, others + 1);
    try {
      await arrive(network);
      return await next();
    } finally {
      const left = (inFlight.get(network) ?? 1) - 1;
      if (left > 0) inFlight.set(network, left);
      else inFlight.delete(network);
    }
  });
}
