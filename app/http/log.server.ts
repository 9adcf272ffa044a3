import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { type Logger, pino } from 'pino';
import type { Settings } from '#app/env.server.ts';
import type { RequestInfo } from './context.ts';

export type Log = Logger;
export type HttpEnv = { Variables: { info: RequestInfo } };

/**
 * Structured log on standard output, one JSON object a line. Lines are written together, at the latest after a second or
 * when the program ends: a system call for each would cost more than answering a page from memory. Only kill -9 loses
 * some, and a disk that is full: the program goes on without its log.
 */
export function createLog(level: Settings['logLevel']): Log {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    maxLength: 1024 * 1024,
    periodicFlush: 1000,
  });
  // At the end of the program the library writes what is left, and on a full disk it would try for ever.
  const writeLast = output.flushSync;
  output.on('error', () => {
    output.flushSync = () => undefined;
  });
  output.on('drain', () => {
    output.flushSync = writeLast;
  });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
}

/**
 * Gives every request an id and hands it to `record` once it is answered. The id is returned in `X-Request-Id`; one
 * sent by the client is ignored.
 */
export function recordRequests(record: (request: Answered) => void) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const info: RequestInfo = { id: randomUUID(), trace: traceOf(c.req.header('traceparent')), route: 'none' };
    c.set('info', info);
    const startedAt = performance.now();
    await next();
    c.header('X-Request-Id', info.id);
    record({ ...info, method: c.req.method, status: c.res.status, startedAt });
  });
}

/** The trace id of a `traceparent` (P94, W3C Trace Context); undefined for anything else. */
export const traceOf = (traceparent: string | undefined): string | undefined =>
  /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(traceparent ?? '')?.[1];

/** `startedAt` is on the clock of `performance`. */
export type Answered = RequestInfo & { method: string; status: number; startedAt: number };

/**
 * Writes one line: id, trace id, method, route pattern, status and milliseconds. The path itself is left out, because a search
 * may be personal.
 */
export function logRequest(log: Log, { id, trace, method, route, status, startedAt }: Answered): void {
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  log[status >= 500 ? 'error' : 'info']({ id, trace, method, route, status, ms }, 'request');
}
