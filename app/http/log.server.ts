import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { type Logger, pino } from 'pino';
import type { Settings } from '#app/env.server.ts';
import type { RequestInfo } from './context.ts';

export type Log = Logger;
export type HttpEnv = { Variables: { info: RequestInfo } };

/** Structured log on standard output, one JSON object a line. */
export function createLog(level: Settings['logLevel']): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/**
 * One line a request: id, method, route pattern, status and milliseconds. The path itself is left out, because a
 * search may be personal. The id is returned in `X-Request-Id`; one sent by the client is ignored.
 */
export function logRequests(log: Log) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const info: RequestInfo = { id: randomUUID(), route: 'none' };
    c.set('info', info);
    const startedAt = performance.now();
    await next();
    c.header('X-Request-Id', info.id);
    logRequest(log, { id: info.id, method: c.req.method, route: info.route, status: c.res.status, startedAt });
  });
}

type Answered = { id: string; method: string; route: string; status: number; startedAt: number };

/** Writes the line of one answered request; `startedAt` is on the clock of `performance`. */
export function logRequest(log: Log, { startedAt, ...request }: Answered): void {
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  log[request.status >= 500 ? 'error' : 'info']({ ...request, ms }, 'request');
}
