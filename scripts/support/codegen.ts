import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import { type Connection, createDb } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';

/**
 * Runs kysely-codegen on a migrated database: writes app/db/schema.ts, or only compares it with what it would write.
 * A column that a check limits to a list of texts gets the type of these texts.
 */
export async function runCodegen(
  connection: Connection,
  { verify }: { verify: boolean },
): Promise<{ same: boolean; output: string }> {
  const columns = Object.fromEntries(await typesOfChecks(connection));
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
      '--overrides',
      JSON.stringify({ columns }),
      '--exclude-pattern',
      '{kysely_*,pgboss.*}',
      ...(verify ? ['--verify'] : []),
    ],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  return { same: result.status === 0, output: `${result.stdout}${result.stderr}`.trim() };
}

/** A type as kysely-codegen writes it, as it stands. */
type Written = { type: 'RawExpression'; expression: string };

/** Types by `table.column`, from checks of the form `column in ('one', 'other')`. */
async function typesOfChecks(connection: Connection): Promise<[string, Written][]> {
  const db = createDb(connection, () => undefined);
  try {
    const { rows } = await sql<{ path: string; rule: string; generated: boolean }>`
      select c.conrelid::regclass || '.' || a.attname as path, pg_get_constraintdef(c.oid) as rule,
        a.atthasdef as generated
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'c' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) = 1
      order by path`.execute(db);
    return rows.flatMap(({ path: column, rule, generated }) => {
      const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[((?:'[^']*'::text(?:, )?)+)\]\)\)\)/.exec(rule) ?? [];
      if (!list) return [];
      const type = list.replaceAll('::text', '').replaceAll(', ', ' | ');
      return [[column, { type: 'RawExpression', expression: generated ? `Generated<${type}>` : type }]];
    });
  } finally {
    await db.destroy();
  }
}

/** A connection as a URL; a socket's folder takes the place of the host, percent-encoded. */
export function connectionUrl(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { user, password, host, database } = connection;
  return `postgres://${user}:${password}@${encodeURIComponent(host)}/${database}`;
}
