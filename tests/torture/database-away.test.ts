// @module-tag torture
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { get, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { publishChange } from '#tests/support/content-edits.ts';
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
  const { rows } = await sql`select from pg_stat_activity where application_name = 'bowerbird listener'`.execute(db);
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

  const db = createDb(server.connection, () => undefined);
  const now = new Date();
  const cheaper = { kind: 'course', key: 'cissp', to: { price: 5498.5 } } as const;
  expect(await publishChange(db, cheaper, { now, today: academyDay(now) })).toMatchObject({ ok: true });
  await db.destroy();
  await until(async () => (await get(`${program.url}/course/cissp`)).text.includes('AU$5,498.50'));
  expect((await get(`${program.url}/courses?search=cissp`)).text).toContain('AU$5,498.50');
});
