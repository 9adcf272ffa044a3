import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#app/env.server.ts';
import { createLog, type Log } from '#app/http/log.server.ts';
import type { createApp } from './app.ts';
import { drainable } from './drain.ts';
import { createHttpServer } from './http-server.ts';
import type { serveInboundMail } from './inbound-mail.ts';
import type { Metrics } from './metrics.ts';
import type { openServices, Services } from './services.ts';
import type { startLines } from './start-lines.ts';

const emptyLine = '\r\u001B[K';

/** Shows a step of the start: at a terminal in one line that the next step overwrites, elsewhere in the log. */
export function showStep(step: string, log: Log | null): void {
  if (process.stdout.isTTY) process.stdout.write(`${emptyLine}${step} …`);
  else if (!log) console.log(step);
  else {
    log.info({ step }, 'starting');
    // Otherwise the step is written together with later lines, when it is over.
    log.flush();
  }
}

/** Takes the last step off the terminal. */
export function clearStep(): void {
  if (process.stdout.isTTY) process.stdout.write(emptyLine);
}

/** Serves `/metrics` on a port of its own, closed to the public. Rejects when the port is not available. */
export async function serveMetrics(at: { port: number; host: string }, metrics: Metrics): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Only GET /metrics\n');
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
    } catch (error) {
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  return server;
}

type Program = {
  createApp: typeof createApp;
  openServices: typeof openServices;
  serveInboundMail: typeof serveInboundMail;
  startLines: typeof startLines;
};

const retryMs = 2000;
const closeMs = 30_000;
// npm forwards a signal that the program has already received through its process group.
const repeatMs = 1_000;

/**
 * Runs the program until SIGTERM or SIGINT: listens first, so that it can report that it is not ready, then opens its
 * services. An unreachable DATABASE_URL is retried every two seconds; any other error ends the program. On a signal it
 * reports that it is not ready, keeps serving for the grace period of the settings, and drains.
 */
export async function serve(settings: Settings, program: Program): Promise<void> {
  const startedAt = performance.now();
  const log = createLog(settings.logLevel);
  let services: Services | null = null;
  const { app, recall, metrics, mailPath } = program.createApp(settings, log, () => services);
  const https = settings.baseUrl.startsWith('https:');
  const server = createHttpServer(app.fetch, { https, keepAliveMs: settings.keepAliveMs, recall });
  const { drain } = drainable(server);
  await listen(server, settings.port);
  if (settings.metrics && metrics) await serveMetrics(settings.metrics, metrics);
  const inbound = settings.inboundMail && (await program.serveInboundMail(settings.inboundMail, () => services, log));
  let stopping = false;
  const drained = stopSignal().then(async () => {
    stopping = true;
    if (services) {
      services.stopping = true;
      await sleep(settings.shutdownGraceMs);
      services.live.end();
    }
    await Promise.all([drain(), inbound?.close()]);
  });

  while (!services && !stopping) {
    try {
      services = await program.openServices(settings, log, (step) => showStep(step, log));
    } catch (error) {
      if (!settings.databaseUrl || !isUnreachable(error)) throw error;
      log.warn({ err: error }, 'database not reachable; trying again');
      await Promise.race([sleep(retryMs), drained]);
    } finally {
      clearStep();
    }
  }
  if (!services) return;
  if (!stopping) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log((await program.startLines(settings, services, { seconds, mailPath })).join('\n'));
  }
  await drained;
  const closed = services.close().then(() => true);
  if (!(await Promise.race([closed, sleep(closeMs, false)]))) log.error({}, 'the database did not close in time');
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
}

/** Resolves at the first SIGTERM or SIGINT; another one more than a second later ends the program at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const stop = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > repeatMs) process.exit(1);
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

/** No connection could be made, as opposed to a query or a migration that failed. */
function isUnreachable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: string }).code ?? '';
    if (
      [
        'ECONNREFUSED',
        'ENOENT',
        'ECONNRESET',
        'ENOTFOUND',
        'EAI_AGAIN',
        'ETIMEDOUT',
        'EHOSTUNREACH',
        'ENETUNREACH',
        '57P03',
      ].includes(code)
    )
      return true;
    if (at.message.includes('timeout exceeded when trying to connect')) return true;
  }
  return false;
}
