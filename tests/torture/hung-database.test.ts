// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, confirmed, keepDoing, type Message, sendMessage, takeForms } from '#tests/support/visitors.ts';

const [outageMs, afterwardsMs, connections] = [10_000, times(15_000, 40_000), 12];

test(`once a database that hung for ${outageMs / 1000} s answers again, every message is taken, and none that was confirmed is lost`, async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const { host, user, password, database } = server.connection;
  const proxy = await startTcpProxy(`${host}/.s.PGSQL.5432`);
  const program = await startProgram({
    ...behindProxy,
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${database}`,
    DATABASE_MIGRATION_URL: connectionUrl(server.owner),
  });
  const forms = await takeForms(program.url, 500);
  const messages: (Message & { at: number })[] = [];
  const send = async () => {
    const form = forms.pop();
    const at = performance.now();
    if (form) messages.push({ ...(await sendMessage(program.url, form)), at });
  };
  const burst = () => Promise.all(Array.from({ length: connections }, send));
  // Twice: after the first burst the pool is full, and for the second one all its connections are dead.
  await burst();
  proxy.dropPackets();
  const caught = burst();
  await sleep(outageMs);
  proxy.passPackets();
  const backAt = performance.now();
  const writing = keepDoing(6, async () => {
    await send();
    await sleep(700);
  });
  await sleep(afterwardsMs);
  await Promise.all([writing.stop(), caught]);
  await program.end('SIGTERM');
  await proxy.close();
  const { told, lost } = await confirmed(data.folder, messages);
  await server.release();
  data.remove();
  const after = messages.filter(({ at }) => at > backAt);
  console.log(`${after.length} messages after the return, ${told} confirmed in all, ${lost.length} lost`);
  expect(after.filter(({ isTold }) => !isTold)).toEqual([]);
  expect(lost).toEqual([]);
});
