import type { Connection } from '#app/db/client.server.ts';
import { type Listener, openListener } from '#app/db/listener.server.ts';

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
  let listener: Listener | null = null;
  let failing = false;
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        if (listener?.isLost() ?? true)
          listener = await openListener(connection, { name: 'listener', channel: 'snapshot', onNotification: look });
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
      await listener?.end();
    },
  };
}
