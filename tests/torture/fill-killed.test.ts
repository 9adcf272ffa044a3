// @module-tag torture
import { expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { freePort, runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { courseCount } from '#tests/support/academy.ts';
import { postmasterPid } from '#tests/support/postmaster.ts';

/** How many courses the database holds, null while it is empty. */
async function coursesIn(folder: string): Promise<number | null> {
  const server = await openEmbeddedPostgres(folder, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const content = await exportContent(db);
  await db.destroy();
  await server.release();
  return content?.courses.length ?? null;
}

test('P95: kill -9 of program and database while it is filled leaves it empty, and the next start fills it', async () => {
  const data = temporaryFolder();
  const first = runScript('start.ts', [], { DATA_DIR: data.folder, PORT: String(await freePort()) });
  await until(() => first.output().includes('Filling the database'));
  process.kill(postmasterPid(data.folder), 'SIGKILL');
  await first.end('SIGKILL');
  expect(await coursesIn(data.folder)).toBeNull();

  const next = await startProgram({ DATA_DIR: data.folder });
  expect(next.output()).toContain('Filling the database');
  await next.end('SIGTERM');
  expect(await coursesIn(data.folder)).toBe(courseCount);
  data.remove();
});
