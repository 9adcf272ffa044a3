// @module-tag torture
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, confirmed, startVisitors } from '#tests/support/visitors.ts';

const [stops, awayMs] = [times(1, 4), 8_000];

test(`a database that stops and starts ${stops} times needs no restart of the program: pages are served or say 503, and no confirmed message is lost`, async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const program = await startProgram({
    ...behindProxy,
    DATABASE_URL: connectionUrl(server.connection),
    DATABASE_MIGRATION_URL: connectionUrl(server.owner),
  });
  let isAway = false;
  const visitors = startVisitors(
    () => [program.url],
    () => isAway,
  );
  const backMs: number[] = [];
  for (let stop = 0; stop < stops; stop++) {
    await sleep(5_000);
    isAway = true;
    const { user, binaries, folder } = await prepareHome(data.folder);
    await runAs(user, binaries.pgCtl, ['stop', '-m', 'fast', '-w', '-D', path.join(folder, 'data')]);
    await sleep(awayMs);
    await server.ensureRunning();
    const from = performance.now();
    await until(async () => (await get(`${program.url}/readyz`)).status === 200);
    backMs.push(performance.now() - from);
    // What was asked while it was away may still be answered.
    await sleep(15_000);
    isAway = false;
  }
  const { requests, messages, faults } = await visitors.stop();
  expect(await program.end('SIGTERM')).toBe(0);
  const { told, lost } = await confirmed(data.folder, messages);
  await server.release();
  data.remove();
  console.log(
    `${requests} requests, ${told} messages confirmed, ${lost.length} lost; ready again after ${Math.round(Math.max(...backMs))} ms at most`,
  );
  expect(faults).toEqual([]);
  expect(lost).toEqual([]);
  expect(told).toBeGreaterThan(0);
});
