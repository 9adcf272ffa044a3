import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Time for requests that clients have already sent on keep-alive connections. */
const idleMs = 1_000;
const sweepMs = 250;
const longestMs = 30_000;

/** Tracks a server's responses from its first request on, so that it can be drained later. */
export function drainable(server: Server): { drain(): Promise<void> } {
  const unanswered = new Set<ServerResponse>();
  let draining = false;
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close');
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });

  return {
    /**
     * Stops accepting connections, answers the requests already sent with `Connection: close`, and resolves when the
     * last connection has ended, after 30 seconds at most.
     */
    async drain() {
      // First wait one event loop iteration to accept the connections that the kernel would otherwise reset.
      await setImmediate();
      let closed = false;
      // Server.close() of node:http would also end idle connections at once, even those with an unread request.
      const allClosed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => {
          closed = true;
          resolve();
        });
      });
      // Only now: a client whose connection is closed opens a new one, which must not reach a socket about to close.
      draining = true;
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close');
      const deadline = performance.now() + longestMs;
      await Promise.race([allClosed, sleep(idleMs)]);
      while (!closed && performance.now() < deadline) {
        // After an iteration that reads the sockets, a connection with a new request no longer counts as idle.
        await setImmediate();
        server.closeIdleConnections();
        await Promise.race([allClosed, sleep(sweepMs)]);
      }
      server.closeAllConnections();
    },
  };
}
