/**
 * `npm run bench [-- 164 10000]`: measures the catalogue with these numbers of courses on a temporary database: search
 * with filters, counts and first page; suggestions; the time until an edit is visible, and for how long it blocks the
 * event loop. Prints milliseconds, and beside them the target where there is one.
 */

import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createDb } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { cataloguePage } from '#app/features/catalogue/catalogue-page.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { readContent } from '#app/features/content/read-content.server.ts';
import { openSnapshot, type SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import { openDatabase } from '#server/database.ts';
import { manyCourses } from './bench/many-courses.ts';
import { temporaryFolder } from './support/program.ts';
import { until } from './support/until.ts';

// Search input: each round takes the next entry of every list.
const words = ['security', 'cloud', 'a', 'audit', 'kubernetes', 'incident response', 'xyzzy', 'iso 27001'];
const categories = ['', 'soc', 'cybersecurity', 'grc', 'comptia'];
const levels = ['', 'beginner', 'advanced'];
const sorts = ['popular', 'newest', 'price-low', 'price-high', 'shortest'];

const sizes = process.argv.slice(2).map(Number);
const read = await readContent(path.join(projectRoot, 'content'));
if (!read.ok) throw new Error('content/ has faults. Run: npm run content -- check');
const quiet = { info: () => undefined, warn: () => undefined };

for (const size of sizes.length > 0 ? sizes : [164, 10_000]) {
  const data = temporaryFolder();
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const content = { ...read.content, courses: manyCourses(read.content.courses, size) };
  const startedAt = performance.now();
  const at = { today: content.site.asOf, now: new Date(`${content.site.asOf}T00:00:00Z`) };
  const imported = await importContent(database.db, content, at, () => true);
  if (!imported.ok) throw new Error('the generated catalogue could not be imported');
  const importMs = performance.now() - startedAt;
  const loadedFrom = performance.now();
  const store = await openSnapshot(database.db, database.connection, quiet);
  const loadMs = performance.now() - loadedFrom;

  console.log(`${size.toLocaleString('en-AU')} courses`);
  print('import', importMs);
  print('load of the snapshot', loadMs);
  const searches = times(400, (round) => search(store, round));
  print('search with filters, counts and first page, p95', percentile(searches, 0.95), 5);
  const suggestions = times(400, (round) => suggest(store, round));
  print('suggestion, p95', percentile(suggestions, 0.95), 10);
  await measureEdits(store);
  await store.stop();
  await database.close();
  data.remove();

  async function measureEdits(snapshots: SnapshotStore) {
    // A separate connection, as another process would have.
    const other = createDb(database.connection, () => undefined);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const visible: number[] = [];
    const blocked: number[] = [];
    for (let round = 0; round < 20; round++) {
      const { id } = snapshots.current().courses[(round * 37) % size] ?? { id: 1 };
      const title = `Edited ${round}`;
      delay.reset();
      delay.enable();
      const from = performance.now();
      await other
        .updateTable('courses')
        .set((row) => ({ title, price_cents: row('price_cents', '+', 100), learners: row('learners', '+', round) }))
        .where('id', '=', id)
        .execute();
      await until(() => snapshots.current().byId.get(id)?.card.title === title);
      visible.push(performance.now() - from);
      delay.disable();
      blocked.push(delay.max / 1e6);
    }
    await other.destroy();
    print('edit to visible, longest of 20', Math.max(...visible), 1000);
    print('event loop held up by an edit, longest of 20', Math.max(...blocked), 50);
  }
}

function search(store: SnapshotStore, round: number) {
  const params = new URLSearchParams();
  const put = (name: string, list: string[], plain: string) => {
    const value = list[round % list.length] ?? plain;
    if (value !== plain) params.set(name, value);
  };
  put('search', ['', ...words], '');
  put('category', categories, '');
  put('level', levels, '');
  put('sort', sorts, 'popular');
  cataloguePage(store.current(), store.suggester().closestCourses, new URL(`http://localhost/courses?${params}`));
}

/** Suggestions for a partly typed title; every round uses another text, because results are cached. */
function suggest(store: SnapshotStore, round: number) {
  const { courses } = store.current();
  const title = courses[(round * 53) % courses.length]?.card.title ?? '';
  store.suggester().suggest(title.slice(round % 5, 2 + (round % 17) + Math.floor(round / 100)), 8);
}

/** Milliseconds of each round, after the same number of warm-up rounds. */
function times(rounds: number, work: (round: number) => void): number[] {
  for (let round = 0; round < rounds; round++) work(round);
  return Array.from({ length: rounds }, (_, at) => {
    const from = performance.now();
    work(rounds + at);
    return performance.now() - from;
  });
}

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

function print(what: string, ms: number, goal?: number) {
  const verdict = goal === undefined ? '' : `  (goal ${goal}: ${ms <= goal ? 'met' : 'MISSED'})`;
  console.log(`  ${what.padEnd(52)} ${ms.toFixed(1).padStart(8)}${verdict}`);
}
