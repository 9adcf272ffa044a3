import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** A moment for what clients have sent already on connections they keep. */
const idleMs = 1_000;
const sweepMs = 250;
const longestMs = 30_000;

/** Follows a server's answers from its first request on, so that it can be drained later. */
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
     * Stops accepting, answers what has been sent, each answer with `Connection: close`, and resolves when the last
     * connection has ended, after 30 seconds at most.
     */
    async drain() {
      // After a round of the event loop, so that connections the kernel has made are accepted before it resets them.
      await setImmediate();
      let closed = false;
      // Server.close() of node:http also ends idle connections at once, those with a request still unread among them.
      const allClosed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => {
          closed = true;
          resolve();
        });
      });
      // Not before: a client whose connection is ended makes another, which would wait at a door about to close.
      draining = true;
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close');
      const deadline = performance.now() + longestMs;
      await Promise.race([allClosed, sleep(idleMs)]);
      while (!closed && performance.now() < deadline) {
        // Right after a round of reading: a connection with a request sent to it is no longer idle.
        await setImmediate();
        server.closeIdleConnections();
        await Promise.race([allClosed, sleep(sweepMs)]);
      }
      server.closeAllConnections();
    },
  };
}
