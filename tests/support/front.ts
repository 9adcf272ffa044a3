import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { freePort, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import type { startPackagedPostgres } from './packaged-postgres.ts';

const [bouncer, balancer] = ['/usr/sbin/pgbouncer', '/usr/sbin/haproxy'];
/** `npm run torture` installs both where it may: `apt-get install pgbouncer haproxy`. */
export const hasFront = existsSync(bouncer) && existsSync(balancer);

type Postgres = Awaited<ReturnType<typeof startPackagedPostgres>>;

/** PgBouncer in transaction mode before a server of the system's PostgreSQL. */
export async function startPgBouncer({ folder, user }: Pick<Postgres, 'folder' | 'user'>) {
  const port = await freePort();
  const run = await serve(bouncer, port, {
    user,
    config: `[databases]
bowerbird = host=${folder} dbname=bowerbird user=bowerbird
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
`,
  });
  return { url: `postgres://bowerbird@127.0.0.1:${port}/bowerbird`, stop: run.stop };
}

/** HAProxy before programs on these ports; it takes one out of service whose /readyz is not 200. */
export async function startHaproxy(ports: readonly number[]) {
  const port = await freePort();
  const run = await serve(balancer, port, {
    user: null,
    args: ['-db', '-f'],
    config: `global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  # A busy machine is no fault of a program.
  timeout check 20s
  option redispatch 1
  retries 3
frontend academy
  bind 127.0.0.1:${port}
  default_backend programs
backend programs
  option httpchk GET /readyz
  default-server check inter 300ms fall 1 rise 1
${ports.map((one) => `  server program-${one} 127.0.0.1:${one}`).join('\n')}
`,
  });
  return { url: `http://127.0.0.1:${port}`, stop: run.stop };
}

async function serve(
  command: string,
  port: number,
  { user, config, args = [] }: { user: Postgres['user']; config: string; args?: string[] },
) {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'config');
  writeFileSync(file, config, { mode: 0o644 });
  const server = spawn(command, [...args, file], { stdio: ['ignore', 'pipe', 'pipe'], ...(user ?? {}) });
  const closed = once(server, 'close');
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (text) => {
      said = (said + text).slice(-2000);
    });
  }
  const endWithTest = () => server.kill('SIGKILL');
  process.once('exit', endWithTest);
  await until(async () => {
    if (server.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    return listens(port);
  });
  return {
    async stop() {
      process.off('exit', endWithTest);
      server.kill('SIGKILL');
      await closed;
      remove();
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
