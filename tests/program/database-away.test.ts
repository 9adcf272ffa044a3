import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { get, type Program, runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';

const data = temporaryFolder();
let server: EmbeddedPostgres;
let program: Program;
let databaseUrl: string;

beforeAll(async () => {
  fillDataFolder(data.folder);
  server = await openEmbeddedPostgres(data.folder, () => undefined);
  databaseUrl = connectionUrl(server.connection);
  program = await startProgram({ DATABASE_URL: databaseUrl, DATABASE_MIGRATION_URL: connectionUrl(server.owner) });
});
afterAll(async () => {
  await program.end('SIGTERM');
  await server.release();
  data.remove();
});

/** The number of connections that listen for changes instead of waiting for the next poll. */
async function listeners(): Promise<number> {
  const db = createDb(server.connection, () => undefined);
  const { rows } = await sql`select from pg_stat_activity where query = 'listen snapshot'`.execute(db);
  await db.destroy();
  return rows.length;
}

async function stopDatabase() {
  const home = await prepareHome(data.folder);
  const result = await runAs(home.user, home.binaries.pgCtl, [
    'stop',
    '-m',
    'immediate',
    '-w',
    '-D',
    path.join(home.folder, 'data'),
  ]);
  expect(result.status).toBe(0);
}

test('P37: with the database stopped, pages are still served, and everything recovers by itself', async () => {
  const pages = [
    '/',
    '/courses?category=soc',
    '/course/cissp',
    '/course/ai-security-foundations',
    '/course/oscp-pen-200',
  ];
  await stopDatabase();
  await until(async () => (await get(`${program.url}/readyz`)).text === 'not ready: database not reachable\n');
  for (const page of pages) expect((await get(program.url + page)).status).toBe(200);
  expect((await get(`${program.url}/healthz`)).status).toBe(200);
  expect((await get(`${program.url}/course/none`)).status).toBe(404);

  await server.ensureRunning();
  await until(async () => (await get(`${program.url}/readyz`)).status === 200);
  for (const page of pages) expect((await get(program.url + page)).status).toBe(200);
});

test('another process’s change is on the page, even after an outage, when the program listens again', async () => {
  await stopDatabase();
  await until(async () => (await get(`${program.url}/readyz`)).status === 503);
  await server.ensureRunning();
  await until(async () => (await get(`${program.url}/readyz`)).status === 200);
  await until(async () => (await listeners()) === 1);

  const folder = temporaryFolder();
  spawnSync('cp', ['-r', 'content/.', folder.folder]);
  const edit = ['-i', 's/^price: 5499$/price: 5498.50/', path.join(folder.folder, 'courses/cissp.yaml')];
  expect(spawnSync('sed', edit).status).toBe(0);
  const run = runScript('content.ts', ['import', '--yes', '--from', folder.folder], { DATABASE_URL: databaseUrl });
  expect(await run.end()).toBe(0);
  expect(run.output()).toContain('~ course cissp\n0 added, 1 changed, 0 retired');
  await until(async () => (await get(`${program.url}/course/cissp`)).text.includes('AU$5,498.50'));
  expect((await get(`${program.url}/courses?search=cissp`)).text).toContain('AU$5,498.50');
  folder.remove();
});

test('a fault in a content file stops the import, names file and line, and changes nothing', async () => {
  const folder = temporaryFolder();
  spawnSync('cp', ['-r', 'content/.', folder.folder]);
  spawnSync('sed', ['-i', 's/^price: .*/price: free/', path.join(folder.folder, 'courses/ccsp.yaml')]);
  // Without the scripts: the data in them counts the promotion's seconds.
  const shown = async () => (await get(`${program.url}/course/ccsp`)).text.replace(/<script\b[\s\S]*?<\/script>/g, '');
  const before = await shown();
  const run = runScript('content.ts', ['import', '--yes', '--from', folder.folder], { DATABASE_URL: databaseUrl });
  expect(await run.end()).toBe(1);
  expect(run.output()).toMatch(/courses\/ccsp\.yaml:\d+ price: /);
  expect(run.output()).toContain('1 fault; nothing was changed.');
  expect(await shown()).toBe(before);
  folder.remove();
});

test('without --yes and without a terminal an import only shows its plan', async () => {
  const run = runScript('content.ts', ['import'], { DATABASE_URL: databaseUrl });
  const code = await run.end();
  expect(run.output()).toContain('~ course cissp');
  expect(run.output()).toContain('Nothing was changed.');
  expect(code).toBe(1);
});
