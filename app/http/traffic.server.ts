import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { createContext } from 'react-router';
import { createFairTurns, type FairTurns } from './fair-turns.ts';
import { createFileCache, type FileCache } from './file-cache.server.ts';
import { watchLoopDelay } from './loop-delay.server.ts';
import { plainPage } from './plain-page.server.ts';

/** What keeps one visitor, or many at once, from taking the program away from the others (decision 13). */
export type Traffic = {
  /** Where requests wait to be begun. */
  arrivals: FairTurns;
  /** Where pages and files wait to be rendered. */
  turns: FairTurns;
  files: FileCache;
  /** True when the program is so far behind that a new request had better come back later. */
  isBehind(): boolean;
  stop(): void;
};

/** Runs what keeps the processor busy when the turn of this request's address comes. */
export type TakeTurn = <T>(task: () => Promise<T>) => Promise<T>;
export const takeTurnContext = createContext<TakeTurn>();
export const filesContext = createContext<FileCache>();

/** A render takes 8 to 25 ms, so that the last of them waits about a second. */
const mostNetworksWaiting = 64;
const largestFilesBytes = 32 * 1024 * 1024;

/** The state of this process; one for all its requests. `shedAfterMs` is how late the event loop may come. */
export function openTraffic(shedAfterMs: number): Traffic {
  const arrivals = createFairTurns(1);
  const turns = createFairTurns(16);
  const delay = watchLoopDelay();
  return {
    arrivals,
    turns,
    files: createFileCache(largestFilesBytes),
    isBehind: () => delay.sustainedMs() > shedAfterMs || arrivals.waiting() + turns.waiting() > mostNetworksWaiting,
    stop: delay.stop,
  };
}

/** Answers 503 while the program is behind, which costs next to nothing, so that it catches up. */
export function shedLoad(isBehind: () => boolean) {
  return createMiddleware(async (_c, next) => {
    if (!isBehind()) return next();
    const text =
      'More people are here than we can serve at once. Nothing was stored. Please try again in a few seconds.';
    return plainPage(503, 'Very busy', text, { 'Retry-After': '5', Connection: 'close' });
  });
}

/** Requests of one network under way at the same time; a browser has six connections, an office a few browsers. */
const mostInFlight = 32;

/**
 * Answers 429 to what one network asks beyond its share, requests sent ahead on one connection counted like any. What
 * is within it begins when `arrive` lets it: if requests began as they are read, one connection would be answered for
 * as long as it goes on sending, and nobody else would be heard.
 */
export function limitInFlight(networkOfRequest: (c: Context) => string, arrive: (network: string) => Promise<void>) {
  const inFlight = new Map<string, number>();
  return createMiddleware(async (c, next) => {
    const network = networkOfRequest(c);
    const others = inFlight.get(network) ?? 0;
    if (others >= mostInFlight) {
      const text = `More than ${mostInFlight} requests from your network are under way. This one was not looked at; please try again in a few seconds.`;
      return plainPage(429, 'Too many at once', text, { 'Retry-After': '2', Connection: 'close' });
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
