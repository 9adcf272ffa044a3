import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { renewalFault } from '#app/features/snapshot/renewal-fault.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { openSnapshot, type SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import { until } from '#scripts/support/until.ts';
import { type Change, publishChange } from '#tests/support/content-edits.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { withoutPolling } from '#tests/support/without-polling.ts';

const quiet = { info: () => undefined, warn: () => undefined };
let database: TestDatabase;
let store: SnapshotStore;

const clock = { now: () => new Date('2025-09-08T09:00:00+10:00'), aheadMs: 0 };
const at = { today: '2025-09-08', now: new Date('2025-09-08T00:00:00Z') };
const change = (one: Change) => publishChange(database.db, one, at);

const idOf = (slug: string) => store.current().bySlug.get(slug)?.id ?? 0;

beforeEach(async () => {
  database = await createTestDatabase();
  const courses = [sampleCourse('a', { aliases: ['old-a'], learners: 5 }), sampleCourse('b', { learners: 20_000 })];
  await fillDatabase(database.db, sampleContent(courses), at);
  store = await withoutPolling(() => openSnapshot(database.db, database.connection, clock, quiet));
});
afterEach(async () => {
  await store.stop();
  await database.drop();
});

test('the snapshot holds what cards show, most learners first', () => {
  const { courses, bySlug, aliases, categories } = store.current();
  expect(courses.map(({ card }) => card.slug)).toEqual(['b', 'a']);
  expect(bySlug.get('b')?.card).toMatchObject({
    category: { slug: 'soc', name: 'SOC' },
    icon: 'eye',
    tier: 'bronze',
    priceCents: 150_000,
    originalPriceCents: null,
    rating: 4.7,
    xp: 1200,
    isHot: true,
  });
  expect(aliases.get('old-a')).toBe('a');
  expect(categories.map(({ slug, inFilter }) => [slug, inFilter])).toEqual([
    ['soc', true],
    ['siem', false],
  ]);
});

test('a change by another connection shows when it is notified, details too', async () => {
  expect(await store.details(idOf('a'))).toMatchObject({ ok: true, details: { prerequisites: ['None.'] } });
  await change({ kind: 'course', key: 'a', to: { price: 1999, prerequisites: ['A keyboard.'] } });
  await change({ kind: 'course', key: 'b', to: null });
  await until(() => store.current().bySlug.get('a')?.card.priceCents === 199_900);
  await until(() => !store.current().bySlug.has('b'));
  expect(await store.details(idOf('a'))).toMatchObject({ details: { prerequisites: ['A keyboard.'] } });
});

test('a plain edit in SQL is noticed as well', async () => {
  await database.db.updateTable('courses').set({ title: 'Renamed' }).where('slug', '=', 'a').execute();
  await until(() => store.current().bySlug.get('a')?.card.title === 'Renamed');
});

test('a snapshot is immutable: later changes do not affect it', async () => {
  const held = store.current();
  await change({ kind: 'course', key: 'c', to: { ...sampleCourse('c') } });
  await until(() => store.current() !== held);
  expect(held.courses.map(({ card }) => card.slug)).toEqual(['b', 'a']);
});

test('P1: quest lines, exams and the relations of courses are read from the database', async () => {
  const steps = ['a', 'b', 'c'].map((course) => ({ course, reason: `Why ${course}` }));
  const line = {
    slug: 'line',
    title: 'Line',
    icon: 'eye' as const,
    description: 'Towards a role. '.repeat(5).trim(),
    role: 'Word '.repeat(50).trim(),
  };
  const exam = { code: 'X-1', body: 'Body', title: 'Exam', status: 'current' as const };
  await change({ kind: 'course', key: 'c', to: { ...sampleCourse('c') } });
  await change({ kind: 'exam', key: 'X-1', to: exam });
  await change({ kind: 'course', key: 'b', to: { exams: ['X-1'], needs: ['a'], leadsTo: ['c'] } });
  await change({ kind: 'quest line', key: 'line', to: { ...line, steps } });
  await until(() => store.current().questLines.length === 1);
  const { questLines, exams, bySlug } = store.current();
  expect(questLines[0]).toMatchObject({ title: 'Line', hours: 90, priceCents: 450_000 });
  expect(exams.get('X-1')).toEqual(exam);
  expect(bySlug.get('b')).toMatchObject({ examCodes: ['X-1'], needs: [idOf('a')], leadsTo: [idOf('c')] });
  expect(bySlug.get('a')).toMatchObject({ examCodes: [], needs: [], leadsTo: [] });
});

test('P3: the former slug of a renamed course becomes an alias, and all that names it follows', async () => {
  await change({ kind: 'course', key: 'b', to: { needs: ['a'] } });
  const before = store.current().bySlug.get('a');
  expect(await change({ kind: 'course', key: 'a', to: { slug: 'new-a' } })).toMatchObject({ ok: true });
  await until(() => store.current().bySlug.has('new-a'));
  const { aliases, bySlug, courseDates, certificationGroups } = store.current();
  expect(aliases).toEqual(
    new Map([
      ['a', 'new-a'],
      ['old-a', 'new-a'],
    ]),
  );
  expect(bySlug.get('new-a')?.id).toBe(before?.id);
  expect(courseDates[0]?.course.slug).toBe('new-a');
  expect(bySlug.get('b')?.needs).toEqual([before?.id]);
  expect(certificationGroups[0]?.certifications[0]?.course.slug).toBe('new-a');

  await change({ kind: 'course', key: 'new-a', to: { slug: 'a' } });
  await until(() => store.current().bySlug.has('a'));
  expect([...store.current().aliases.keys()].sort()).toEqual(['new-a', 'old-a']);
});

test('seats have their own version: a change to them does not replace the catalogue’s objects', async () => {
  const before = store.current();
  await database.db.updateTable('course_dates').set({ capacity: 3 }).execute();
  await until(() => store.current().courseDates[0]?.seatsAvailable === 3);
  const after = store.current();
  expect(after.versions).toEqual({ ...before.versions, seats: before.versions.seats + 1 });
  expect(after.courses).toBe(before.courses);
  expect(after.questLines).toBe(before.questLines);
});

test('only an edited course is replaced: the others stay the same objects', async () => {
  const before = store.current();
  await database.db.updateTable('courses').set({ title: 'Edited' }).where('slug', '=', 'a').execute();
  await until(() => store.current().bySlug.get('a')?.card.title === 'Edited');
  const after = store.current();
  expect(after.versions).toEqual({ ...before.versions, courses: before.versions.courses + 1 });
  expect(after.bySlug.get('b')).toBe(before.bySlug.get('b'));
  expect(after.courseDates[0]?.course.title).toBe('Edited');
  expect(store.suggester().suggest('edited', 1)[0]?.label).toBe('Edited');
});

test.each<[Change, (snapshot: Snapshot) => unknown]>([
  [{ kind: 'course', key: 'a', to: { tracks: ['offensive'] } }, ({ bySlug }) => bySlug.get('a')?.trackSlugs],
  [{ kind: 'category', key: 'siem', to: { name: 'Logs' } }, ({ categories }) => categories.at(-1)?.name],
  [{ kind: 'certification', key: 'first', to: { name: 'Best' } }, ({ certificationGroups }) => certificationGroups],
  [{ kind: 'site', key: 'site', to: { phone: '(07) 7010 0143' } }, ({ site }) => site.phone],
])('a published change reaches the snapshot: %j', async (one, shown) => {
  const before = shown(store.current());
  expect(await change(one)).toMatchObject({ ok: true });
  await until(() => JSON.stringify(shown(store.current())) !== JSON.stringify(before));
});

test('staff are told when pages were not renewed for a minute although the database is there, until they are again', async () => {
  const warned: object[] = [];
  await store.stop();
  const log = { info: () => undefined, warn: (fields: object) => void warned.push(fields) };
  store = await withoutPolling(() => openSnapshot(database.db, database.connection, clock, log));
  const faults = () => database.db.selectFrom('job_faults').select(['job', 'message', 'times']).execute();
  const look = () => sql`notify snapshot`.execute(database.db);
  let aheadMs = 0;
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  try {
    await sql`create table kept as select * from snapshot_versions where part = 'seats'`.execute(database.owner);
    await sql`delete from snapshot_versions where part = 'seats'`.execute(database.owner);
    await look();
    await until(() => warned.length === 1);
    await look();
    expect(await faults()).toEqual([]);
    aheadMs = 61_000;
    await look();
    await until(async () => (await faults()).length > 0);
    expect(await faults()).toEqual([
      { job: 'renew pages', message: 'snapshot_versions has no row for seats', times: 1 },
    ]);
    await sql`insert into snapshot_versions select * from kept`.execute(database.owner);
    await database.db.updateTable('courses').set({ title: 'Renewed' }).where('slug', '=', 'a').execute();
    await until(() => store.current().bySlug.get('a')?.card.title === 'Renewed');
    await until(async () => (await faults()).length === 0);
  } finally {
    spy.mockRestore();
  }
});

test('an outage of the database is no fault of the pages, however long it lasts; a slow read is', async () => {
  // A store that is open takes the fault back with each of its own reads.
  await store.stop();
  let aheadMs = 0;
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  const faults = () => database.db.selectFrom('job_faults').select('item').execute();
  const withCode = (code: string) => Object.assign(new Error('failed'), { code });
  try {
    const { failed } = renewalFault(database.db, clock);
    for (const code of ['ECONNREFUSED', '57P03', 'ECONNREFUSED']) {
      await failed(withCode(code));
      aheadMs += 61_000;
    }
    await failed(withCode('57014'));
    expect(await faults()).toEqual([]);
    aheadMs += 61_000;
    await failed(withCode('57014'));
    expect(await faults()).toEqual([{ item: 'part:all of it' }]);
  } finally {
    spy.mockRestore();
  }
});
