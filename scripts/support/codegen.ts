import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Connection } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';

/** Runs kysely-codegen on a migrated database: writes app/db/schema.ts, or only compares it with what it would write. */
export function runCodegen(connection: Connection, { verify }: { verify: boolean }): { same: boolean; output: string } {
  const result = spawnSync(
    path.join(projectRoot, 'node_modules/.bin/kysely-codegen'),
    [
      '--dialect',
      'postgres',
      '--url',
      connectionUrl(connection),
      '--out-file',
      'app/db/schema.ts',
      '--date-parser',
      'string',
      '--numeric-parser',
      'number',
      '--type-mapping',
      '{"int8":"number"}',
      '--exclude-pattern',
      '{kysely_*,pgboss.*}',
      ...(verify ? ['--verify'] : []),
    ],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  return { same: result.status === 0, output: `${result.stdout}${result.stderr}`.trim() };
}

/** A connection as a URL; a socket's folder takes the place of the host, percent-encoded. */
export function connectionUrl(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { user, password, host, database } = connection;
  return `postgres://${user}:${password}@${encodeURIComponent(host)}/${database}`;
}
