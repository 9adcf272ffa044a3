import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Connection, createDb } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { cataloguePage } from '#app/features/catalogue/catalogue-page.ts';
import { readContent } from '#app/features/content/files.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import { openSnapshot, type SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { type Figure, type Part, percentile } from './figure.ts';
import { manyCourses } from './many-courses.ts';
import { day } from './programs.ts';

// Search input: each round takes the next entry of every list.
const words = [
  'security',
  'cloud',
  'a',
  'audit',
  'kubernetes',
  'incident response',
  'xyzzy',
  'iso 27001',
  'solutions architect aws',
  'pyhton',
  'project managment course',
];
const categories = ['', 'soc', 'cybersecurity', 'grc', 'comptia'];
const levels = ['', 'beginner', 'advanced'];
const sorts = ['popular', 'newest', 'price-low', 'price-high', 'shortest'];

const quiet = { info: () => undefined, warn: () => undefined };

/**
 * The catalogue with the academy's own courses and with 10,000: search with filters, counts and first page;
 * suggestions; the time until an edit is visible to the snapshot, and for how long it holds up the event loop.
 */
export const catalogueSearch: Part = {
  name: 'search',
  async run() {
    const read = await readContent(path.join(projectRoot, 'content'));
    if (!read.ok) throw new Error('content/ has faults. Run: npm run content -- check');
    const figures: Figure[] = [];
    for (const size of [read.content.courses.length, 10_000]) {
      figures.push(...(await measure({ ...read.content, courses: manyCourses(read.content.courses, size) })));
    }
    return figures;
  },
};

async function measure(content: Content): Promise<Figure[]> {
  const data = temporaryFolder();
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const at = { today: day, now: new Date(`${day}T00:00:00Z`) };
  const fillFrom = performance.now();
  await fillDatabase(database.db, content, at);
  const fillMs = performance.now() - fillFrom;
  const loadFrom = performance.now();
  const store = await openSnapshot(database.db, database.connection, { now: () => at.now, aheadMs: 0 }, quiet);
  const loadMs = performance.now() - loadFrom;
  const searches = times(400, (round) => search(store, round));
  const suggestions = times(400, (round) => suggest(store, round));
  const { visible, blocked } = await measureEdits(store, database.connection);
  await store.stop();
  await database.close();
  data.remove();
  const courses = `${content.courses.length.toLocaleString('en-AU')} courses`;
  const ms = (name: string, value: number, atMost?: number): Figure => ({
    name: `${courses}: ${name}`,
    unit: 'ms',
    value,
    ...(atMost !== undefined && { goal: { atMost } }),
  });
  return [
    ms('filling of the database', fillMs),
    ms('load of the snapshot', loadMs),
    ms('search with filters, counts and first page, p95', percentile(searches, 0.95), 5),
    ms('suggestion, p95', percentile(suggestions, 0.95), 10),
    ms('edit visible to the snapshot, slowest of 20', Math.max(...visible), 1000),
    ms('event loop held up by an edit, longest of 20', Math.max(...blocked), 50),
  ];
}

async function measureEdits(store: SnapshotStore, connection: Connection) {
  // A separate connection, as another process would have.
  const other = createDb(connection, () => undefined);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const visible: number[] = [];
  const blocked: number[] = [];
  for (let round = 0; round < 20; round++) {
    const { courses } = store.current();
    const { id } = courses[(round * 37) % courses.length] ?? { id: 1 };
    const title = `Edited ${round}`;
    delay.reset();
    delay.enable();
    const from = performance.now();
    await other
      .updateTable('courses')
      .set((row) => ({ title, price_cents: row('price_cents', '+', 100), learners: row('learners', '+', round) }))
      .where('id', '=', id)
      .execute();
    await until(() => store.current().byId.get(id)?.card.title === title);
    visible.push(performance.now() - from);
    delay.disable();
    blocked.push(delay.max / 1e6);
  }
  await other.destroy();
  return { visible, blocked };
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
  cataloguePage(
    listable(store.current(), '2025-09-08'),
    store.suggester().nearest,
    new URL(`http://localhost/courses?${params}`),
  );
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
