/**
 * `npm run soak [-- --minutes 10]`: mixed traffic at a bounded rate, on loopback, to two built programs on one database.
 * Meanwhile content is published, the database is stopped and started, and one program is replaced (SIGTERM) as behind a
 * proxy. Every answer must be one that is planned, nothing may be lost, and memory must stay flat. Prints a table; ends
 * with 1 when something is amiss.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './bench/figure.ts';
import { buildIfNeeded } from './build.ts';
import { openScene } from './soak/scene.ts';
import { startVisitors } from './soak/visitors.ts';
import { optionsOrExit } from './support/options.ts';

const { values } = optionsOrExit('npm run soak [-- --minutes 10]', {
  options: { minutes: { type: 'string', default: '10' } },
});
const minutes = Number(values.minutes);
if (!(minutes >= 1 && minutes <= 24 * 60)) {
  console.error('--minutes must be from 1 to 1440');
  process.exit(2);
}
/** Growth from the second quarter of the run to the last that counts as flat. */
const flatShare = 0.1;
/** A shorter run is mostly warm-up: its memory is shown and not judged. */
const settledMinutes = 5;

await buildIfNeeded();
const startedAt = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}`);
const scene = await openScene(say);
const visitors = startVisitors(scene);
const samples: { resident: number; cached: number }[] = [];
let sampling = true;
const sampler = (async () => {
  while (sampling) {
    samples.push(await scene.memory());
    await sleep(1000);
  }
})();

const endAt = performance.now() + minutes * 60_000;
const pauseMs = Math.min(20_000, minutes * 4000);
const acts = [scene.publishContent, scene.stopDatabase, scene.replaceOne];
for (let round = 0; performance.now() < endAt; round++) {
  await acts[round % acts.length]?.();
  await sleep(pauseMs);
}
const counts = await visitors.stop();
sampling = false;
await sampler;
const missing = await scene.missing(counts.acknowledged);
await scene.close();

const beyondCache = samples.map(({ resident, cached }) => resident - cached);
const quarter = Math.floor(beyondCache.length / 4);
const [early, late] = [median(beyondCache.slice(quarter, 2 * quarter)), median(beyondCache.slice(-quarter))];
const count = (number: number) => number.toLocaleString('en-AU');
const rows: [string, string, boolean | null][] = [
  ['minutes', ((performance.now() - startedAt) / 60_000).toFixed(1), null],
  ['requests', count(counts.total), null],
  ...[...counts.planned].sort().map(([what, times]): [string, string, null] => [`  ${what}`, count(times), null]),
  ['answers that were not planned', count(counts.unplanned.length), counts.unplanned.length === 0],
  ['requests lost', count(counts.lost.length), counts.lost.length === 0],
  ['requests passed on to the other program', count(counts.passedOn), null],
  ['messages acknowledged', count(counts.acknowledged.length), counts.acknowledged.length > 0],
  ['messages acknowledged and not stored', count(missing), missing === 0],
  ['changes of content', count(scene.counts.published), scene.counts.published > 0],
  ['changes not visible on both programs', count(scene.counts.invisible), scene.counts.invisible === 0],
  ['stops of the database', count(scene.counts.databaseStops), scene.counts.databaseStops > 0],
  ['programs replaced', count(scene.counts.replaced), scene.counts.replaced > 0],
  ['programs that did not end with 0', count(scene.counts.badEnds), scene.counts.badEnds === 0],
  ['memory in all, most, MB', count(Math.round(Math.max(...samples.map(({ resident }) => resident)))), null],
  ['memory without the page cache, second quarter, MB', count(Math.round(early)), null],
  [
    'memory without the page cache, last quarter, MB',
    count(Math.round(late)),
    minutes < settledMinutes ? null : late <= early * (1 + flatShare),
  ],
];
console.log('');
for (const [what, value, ok] of rows) {
  console.log(`${what.padEnd(56)} ${value.padStart(10)}  ${ok === null ? '' : ok ? 'ok' : 'WRONG'}`.trimEnd());
}
for (const fault of [...counts.unplanned, ...counts.lost].slice(0, 20)) console.log(`  ${fault}`);
process.exit(rows.every(([, , ok]) => ok !== false) ? 0 : 1);
