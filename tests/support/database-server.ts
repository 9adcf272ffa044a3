import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import { grantToProgram } from '#app/db/roles.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { migrateQueues } from '#app/outbox/queue.server.ts';
import { buildIfNeeded } from '#scripts/build.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openingDay, readAcademy } from './academy.ts';
import { statement } from './statement.ts';

type Connection = { host: string; user: string; password: string; database: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's connection to the test server, and its migrated template database without content. */
    template: Connection;
    /** The same server's template database with the academy's content. */
    academyTemplate: Connection;
    /** The role as which the program asks the same server. */
    programRole: Pick<Connection, 'user' | 'password'>;
    /** A data folder of the program as its first run leaves it, at rest. */
    academyFolder: string;
  }
}

/**
 * These databases need not outlive a loss of power, and live for seconds. Tests about that have servers of their own.
 * Four workers share the server, and some of their tests open dozens of connections.
 */
const ofShortLife = `
max_connections = 300
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
checkpoint_timeout = '1h'
autovacuum = off
scram_iterations = 1
`;

/**
 * Builds if needed, and starts one real PostgreSQL for the whole run, whichever of its projects asks first. What most tests begin with is made once, to be
 * copied: a migrated database, one filled with the content, and a data folder of the program that holds the latter.
 */
export default async function setup(asking: TestProject) {
  // What it provides, all projects have.
  const project = asking.vitest.getRootProject();
  if ('template' in project.getProvidedContext()) return undefined;
  await buildIfNeeded();
  const data = temporaryFolder();
  const first = await openEmbeddedPostgres(data.folder, () => undefined);
  const academy = first.owner;
  const template = { ...academy, database: 'template_without_content' };
  const db = createDb(academy, () => undefined);
  await migrate(db);
  await migrateQueues(db);
  await grantToProgram(db, first.connection.user);
  await db.destroy();
  await statement(academy, `create database ${template.database} template ${academy.database}`);
  const filled = createDb(academy, () => undefined);
  await fillDatabase(filled, await readAcademy(), openingDay);
  await filled.destroy();
  await statement(template, 'vacuum analyze');
  await statement(academy, 'vacuum analyze');

  await first.release();
  const folder = temporaryFolder();
  // With owners and modes, which PostgreSQL checks, and while no server writes to it.
  execFileSync('cp', ['-a', `${data.folder}/.`, folder.folder]);
  appendFileSync(path.join(first.folder, 'data/postgresql.auto.conf'), ofShortLife);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  // Hashed anew, once instead of 4,096 times: each of a few thousand connections proves that it knows it.
  await statement(academy, `alter role ${academy.user} password '${academy.password}'`);
  project.provide('template', template);
  project.provide('academyTemplate', academy);
  const { user, password } = server.connection;
  project.provide('programRole', { user, password });
  project.provide('academyFolder', folder.folder);
  return async () => {
    await server.release();
    data.remove();
    folder.remove();
  };
}
