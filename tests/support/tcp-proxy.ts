import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** From now on all data is dropped, in both directions, and connections stay open. */
  dropPackets(): void;
  /** From now on data passes again. Dropped data stays lost, as after a firewall has lost its connection table. */
  passPackets(): void;
  /** Ends every connection with a reset. */
  resetAll(): void;
  /** New connections lead to another socket from now on, as an address does after a failover. */
  lead(target: string): void;
  close(): Promise<void>;
};

/** A proxy on a loopback port in front of a Unix socket that can drop all data like a failing network. */
export async function startTcpProxy(first: string): Promise<TcpProxy> {
  let [target, dropping] = [first, false];
  const sockets = new Set<Socket>();
  const relay = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (!dropping) to.write(chunk);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      // The end of a connection is not passed on either.
      if (!dropping) to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    relay(client, upstream);
    relay(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    dropPackets() {
      dropping = true;
    },
    passPackets() {
      dropping = false;
    },
    resetAll() {
      for (const socket of sockets) socket.destroy();
    },
    lead(next) {
      target = next;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
