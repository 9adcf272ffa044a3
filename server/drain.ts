import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Time for requests that clients have already sent on keep-alive connections. */
const idleMs = 1_000;
const sweepMs = 250;
const longestMs = 30_000;
/** How long no connection may have come before the listening socket is closed; on a busy site that takes a second. */
const quietMs = 50;
const acceptMs = 1_000;
/** How long the last turn of the event loop may take; after two seconds it may take any time. */
const shortTurnMs = 0.1;
const patienceMs = 2_000;

/** Tracks a server's connections and responses from its first one on, so that it can be drained later. */
export function drainable(server: Server): { drain(): Promise<void> } {
  const unanswered = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  let accepted = 0;
  let draining = false;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close');
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });

  return {
    /**
     * Accepts the connections that are waiting, stops accepting, answers the requests already sent with `Connection:
     * close`, and resolves when the last connection has ended, after 34 seconds at most.
     */
    async drain() {
      await acceptWaiting(() => accepted);
      let closed = false;
      // Server.close() of node:http would also end idle connections at once, even those with an unread request.
      const allClosed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => {
          closed = true;
          resolve();
        });
      });
      // Only now: a client whose connection is closed opens a new one, which must not come to a socket about to close.
      draining = true;
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close');
      const deadline = performance.now() + longestMs;
      await Promise.race([allClosed, sleep(idleMs)]);
      while (!closed && performance.now() < deadline) {
        // After an iteration that reads the sockets, a connection with a new request no longer counts as idle.
        await setImmediate();
        server.closeIdleConnections();
        // To Node a connection is idle only after its first request.
        for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
        await Promise.race([allClosed, sleep(sweepMs)]);
      }
      server.closeAllConnections();
    },
  };
}

/**
 * Goes round the event loop until all connections are accepted that the kernel has made already: it resets the others
 * when the listening socket closes, although their clients may have sent a whole request. Each turn accepts one
 * (libuv), so a turn without one found none waiting. Resolves right after such a turn, a short one: only a connection
 * made within that turn, a tenth of a millisecond, is still reset.
 */
async function acceptWaiting(accepted: () => number): Promise<void> {
  const startedAt = performance.now();
  let quietSince = startedAt;
  for (;;) {
    const before = accepted();
    const turnAt = performance.now();
    await setImmediate();
    const now = performance.now();
    if (accepted() > before) quietSince = now;
    const isQuiet = now - quietSince >= quietMs || now - startedAt >= acceptMs;
    const isShort = now - turnAt < shortTurnMs || now - startedAt >= patienceMs;
    if (isQuiet && isShort && accepted() === before) return;
    // Connections come without a pause, and closing is overdue.
    if (now - startedAt >= 2 * patienceMs) return;
  }
}
