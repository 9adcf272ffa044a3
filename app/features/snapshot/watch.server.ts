import pg from 'pg';
import { type Connection, servingLimits } from '#app/db/client.server.ts';

export type WatchLog = { info(fields: object, message: string): void; warn(fields: object, message: string): void };

const pollMs = 1000;

/** Is called after each renewal, with its result. */
type Watched = { worked(): Promise<void>; failed(error: unknown): Promise<void> };

/**
 * Calls `refresh` on each notification of the channel `snapshot`, and every second in case one is lost; never twice at
 * the same time. Logs once when that begins to fail, and once when it works again.
 */
export function watchForChanges(
  connection: Connection,
  refresh: () => Promise<void>,
  { log, watched }: { log: WatchLog; watched: Watched },
) {
  let listener: pg.Client | null = null;
  let failing = false;
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;

  async function listen(): Promise<void> {
    const client = new pg.Client({
      ...connection,
      application_name: 'bowerbird listener',
      keepAlive: true,
      connectionTimeoutMillis: servingLimits.answerMs,
      query_timeout: servingLimits.answerMs,
    });
    const lost = () => {
      if (listener === client) listener = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', look);
    try {
      await client.connect();
      await client.query('listen snapshot');
      listener = client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        if (!listener) await listen();
        await refresh();
        await watched.worked();
      } while (again && !stopped);
      if (failing) log.info({}, 'snapshot is renewed again');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'snapshot could not be renewed; serving from memory');
      failing = true;
      // The database may be the reason why it cannot be recorded either; the next failure tries again.
      await watched.failed(error).catch(() => undefined);
    }
  }

  function look(): void {
    if (stopped) return;
    again = true;
    running ??= run().finally(() => {
      running = null;
    });
  }

  look();
  const poll = setInterval(look, pollMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(poll);
      await running;
      await listener?.end().catch(() => undefined);
    },
  };
}
