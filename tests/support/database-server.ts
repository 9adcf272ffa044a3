import type { TestProject } from 'vitest/node';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import { migrateQueues } from '#app/outbox/queue.server.ts';
import { buildIfNeeded } from '#scripts/build.ts';
import { temporaryFolder } from '#scripts/support/program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The test server's connection, to its migrated template database. */
    template: { host: string; user: string; password: string; database: string };
  }
}

/** Starts one real PostgreSQL for the whole run, with a template database that each test copies; builds if needed. */
export default async function setup(project: TestProject) {
  await buildIfNeeded();
  const data = temporaryFolder();
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const db = createDb(server.connection, () => undefined);
  await migrate(db);
  await migrateQueues(db);
  await db.destroy();
  project.provide('template', server.connection);
  return async () => {
    await server.release();
    data.remove();
  };
}
