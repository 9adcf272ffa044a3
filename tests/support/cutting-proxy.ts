import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { temporaryFolder } from '#scripts/support/program.ts';

type When = 'before' | 'after';

/**
 * A proxy between a client and a PostgreSQL server on Unix sockets. It cuts the connection at the first message of the
 * client that matches: before the server gets it, or after that but before the answer. A function is asked for each
 * connection, and answers for each of its messages, null to let it pass.
 */
export async function cuttingProxy(
  server: { host: string },
  at: RegExp | (() => (text: string) => When | null),
  when: When = 'before',
) {
  const folder = temporaryFolder();
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = connect(path.join(server.host, '.s.PGSQL.5432'));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    let cut = false;
    const cutOf = typeof at === 'function' ? at() : (text: string) => (at.test(text) ? when : null);
    client.on('data', (bytes) => {
      const how = cut ? null : cutOf(bytes.toString('latin1'));
      if (how) {
        cut = true;
        if (how === 'after') upstream.end(bytes);
        else {
          upstream.destroy();
          client.destroy();
        }
      } else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!cut) client.write(bytes);
    });
    // The server closes its side once it has executed the message.
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.end());
  });
  listener.listen(path.join(folder.folder, '.s.PGSQL.5432'));
  await once(listener, 'listening');
  return {
    host: folder.folder,
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
      folder.remove();
    },
  };
}
