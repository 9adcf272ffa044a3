import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#app/env.server.ts';
import { createLog } from '#app/http/log.server.ts';
import type { createApp } from './app.ts';
import { createHttpServer } from './http-server.ts';
import type { openServices, Services } from './services.ts';

type Program = { createApp: typeof createApp; openServices: typeof openServices };

const retryMs = 2000;
const drainMs = 30_000;

/**
 * Runs the program until SIGTERM or SIGINT: listens first, so that it can say it is not ready, then opens what it
 * needs. An unreachable DATABASE_URL is tried again every two seconds; any other fault ends the program.
 */
export async function serve(settings: Settings, program: Program): Promise<void> {
  const startedAt = performance.now();
  const log = createLog(settings.logLevel);
  let services: Services | null = null;
  const app = program.createApp(settings, log, () => services);
  const server = createHttpServer(app.fetch, { https: settings.baseUrl.startsWith('https:') });
  await listen(server, settings.port);
  const drained = drainOnSignal(server);
  let stopping = false;
  drained.then(() => {
    stopping = true;
  });

  while (!services && !stopping) {
    try {
      services = await program.openServices(settings, log, (line) => console.log(line));
    } catch (error) {
      if (!settings.databaseUrl || !isUnreachable(error)) throw error;
      log.warn({ err: error }, 'database not reachable; trying again');
      await Promise.race([sleep(retryMs), drained]);
    }
  }
  if (!services) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Data: ${services.database.place}`);
  console.log(`Bowerbird Academy: ${settings.baseUrl} (ready after ${seconds} s)`);
  await drained;
  await services.close();
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
}

/** On a signal stops accepting and resolves when what was in flight is answered; a second signal ends at once. */
function drainOnSignal(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = async () => {
      if (stopping) process.exit(1);
      stopping = true;
      const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
      server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
      await new Promise((closed) => server.close(closed));
      clearTimeout(deadline);
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
