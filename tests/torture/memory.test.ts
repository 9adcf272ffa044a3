// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort, get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, startVisitors } from '#tests/support/visitors.ts';

const minutes = times(0, 6);
/** Growth from the second quarter of the run to the last that counts as flat. The first quarter warms up. */
const flat = 1.1;

test.runIf(minutes > 0)(`memory stays flat over ${minutes} minutes of readers and writers`, async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const METRICS_PORT = String(await freePort());
  const program = await startProgram({ ...behindProxy, DATA_DIR: data.folder, METRICS_PORT });
  const visitors = startVisitors(() => [program.url]);
  const samples: number[] = [];
  for (const endAt = performance.now() + minutes * 60_000; performance.now() < endAt; await sleep(1000)) {
    samples.push(await megabytesBeyondPages(METRICS_PORT));
  }
  const { requests, faults } = await visitors.stop();
  await program.end('SIGTERM');
  data.remove();
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))];
  console.log(`${requests} requests; ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last`);
  expect(faults).toEqual([]);
  expect(late).toBeLessThanOrEqual(early * flat);
});

/** What the program holds in RAM, without the pages that it keeps on purpose. */
async function megabytesBeyondPages(metricsPort: string): Promise<number> {
  const { text } = await get(`http://127.0.0.1:${metricsPort}/metrics`);
  const sumOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce((sum, [, n]) => sum + Number(n), 0);
  return (sumOf('process_resident_memory_bytes') - sumOf('page_cache_bytes')) / 2 ** 20;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
