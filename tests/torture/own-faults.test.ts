// @module-tag torture
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { freePort, get, runScript, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';

const answers = async (url: string, status: number) =>
  until(async () => (await get(url).catch(() => null))?.status === status);

test('a program whose clock is years ahead of the database’s does not start', async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const wrongClock = path.join(projectRoot, 'tests/support/wrong-clock.mjs');
  const run = runScript('start.ts', [], {
    DATABASE_URL: connectionUrl(server.owner),
    NODE_OPTIONS: `--import=${wrongClock}`,
    PORT: String(await freePort()),
  });
  expect(await run.end()).toBe(1);
  expect(run.output()).toContain("minutes ahead of the database's. Set the clock that is wrong");
  await server.release();
  data.remove();
});

test('with its log on a full disk the program serves pages and ends on SIGTERM', async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const port = await freePort();
  const toFullDisk = ['sh', '-c', 'exec "$0" "$@" > /dev/full'];
  const settings = { DATA_DIR: data.folder, PORT: String(port), LOG_LEVEL: 'info' };
  const run = runScript('start.ts', [], settings, toFullDisk);
  const url = `http://localhost:${port}`;
  await answers(`${url}/readyz`, 200);
  for (let request = 0; request < 200; request++) expect((await get(`${url}/faq`)).status).toBe(200);
  expect(await run.end('SIGTERM')).toBe(0);
  data.remove();
});

test('a start on damaged data says that a backup is needed', async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { rows } = await sql<{ file: string }>`select pg_relation_filepath('courses') as file`.execute(db);
  await db.destroy();
  await server.release();
  const file = openSync(path.join(data.folder, 'postgres/data', rows[0]?.file ?? ''), 'r+');
  writeSync(file, Buffer.alloc(2000, 1), 0, 2000, 100);
  closeSync(file);

  const run = runScript('start.ts', [], { DATA_DIR: data.folder, PORT: String(await freePort()) });
  expect(await run.end()).toBe(1);
  expect(run.output()).toContain(
    'the database is damaged and needs a backup (docs/operating.md, Backups): invalid page',
  );
  data.remove();
});
