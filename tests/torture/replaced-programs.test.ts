// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, confirmed, startVisitors } from '#tests/support/visitors.ts';

const replacements = times(2, 8);

test(`no request is lost while programs are replaced ${replacements} times under visitors, one after the other`, async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const start = () =>
    startProgram({
      ...behindProxy,
      DATABASE_URL: connectionUrl(server.connection),
      DATABASE_MIGRATION_URL: connectionUrl(server.owner),
      // One public origin, as behind a proxy.
      BASE_URL: 'http://academy.example',
    });
  const programs = [await start(), await start()];
  const visitors = startVisitors(() => programs.map(({ url }) => url));
  const codes: (number | null)[] = [];
  const stopMs: number[] = [];
  for (let turn = 0; turn < replacements; turn++) {
    programs.push(await start());
    const [oldest] = programs;
    const from = performance.now();
    // It gets requests until it takes no more connections.
    codes.push((await oldest?.end('SIGTERM')) ?? null);
    stopMs.push(performance.now() - from);
    programs.shift();
    await sleep(2_000);
  }
  const { requests, messages, faults } = await visitors.stop();
  for (const program of programs) codes.push(await program.end('SIGTERM'));
  const { told, lost } = await confirmed(data.folder, messages);
  await server.release();
  data.remove();
  console.log(
    `${requests} requests, ${told} messages confirmed; slowest stop ${Math.round(Math.max(...stopMs))} ms, ${faults.length} faults`,
  );
  expect(faults).toEqual([]);
  expect(lost).toEqual([]);
  expect(codes).toEqual(Array(replacements + 2).fill(0));
});
