import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { publishRevision, revertTo } from '#app/features/content/commands.server.ts';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { findRecord, listRevisions } from '#app/features/content/queries.server.ts';
import type { RecordValue } from '#app/features/content/records.ts';
import { currentOf, type RecordRef } from '#app/features/content/revisions.ts';
import type { Content } from '#app/features/content/schema.ts';
import { describeHistory, recordNamed, revertRecord } from '#scripts/content/history.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const at = { today: '2025-09-08', now: new Date('2025-09-08T00:00:00Z') };
const put = (content: Content, side?: 'ours' | 'theirs') => importContent(database.db, content, at, () => true, side);
const [a, b] = [sampleCourse('a'), sampleCourse('b', { needs: ['a'] })];

async function recordOf(kind: string, key: string): Promise<RecordRef> {
  const record = await findRecord(database.db, kind, key);
  if (!record) throw new Error(`${kind} "${key}" has no record`);
  return record;
}
/** Number, state, author and one field of each revision of a course. */
async function history(key: string, field: string) {
  const revisions = await listRevisions(database.db, await recordOf('course', key));
  return revisions.map(({ number, state, author, value }) => [number, state, author, value[field]]);
}
const courses = async () => (await exportContent(database.db))?.courses;

async function staffMember(): Promise<number> {
  const person = { name: 'Ada Byron', email: 'ada@example.com' };
  const row = await database.db
    .insertInto('people')
    .values({ ...person, created_at: at.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Publishes a course of which somebody changed some fields since its revision `base`. */
async function publish(key: string, base: number, parts: RecordValue | null, person: number) {
  const record = await recordOf('course', key);
  const from = (await listRevisions(database.db, record)).find(({ number }) => number === base);
  const value = parts && { ...from?.value, ...parts };
  const wish = { id: record.id, base, value, author: { person }, note: null };
  return database.db.transaction().execute((trx) => publishRevision(trx, wish, at));
}

test('P70: an import writes a revision of each record that it changes, and of no other', async () => {
  await put(sampleContent([a, b]));
  await put(sampleContent([{ ...a, price: 1600 }, b]));
  await put(sampleContent([{ ...a, price: 1600 }, b]));
  expect(await history('a', 'price')).toEqual([
    [1, 'published', 'import', 1500],
    [2, 'published', 'import', 1600],
  ]);
  expect(await history('b', 'price')).toEqual([[1, 'published', 'import', 1500]]);
  expect(await findRecord(database.db, 'training session', 'first-session')).toBeNull();

  await put(sampleContent([{ ...a, price: 1600 }]));
  expect(await history('b', 'price')).toEqual([
    [1, 'published', 'import', 1500],
    [2, 'retired', 'import', 1500],
  ]);
});

test('P71: of two people who start from one revision the second is refused, with what the first published', async () => {
  const person = await staffMember();
  await put(sampleContent([a, b]));
  expect(await publish('a', 1, { hours: 31 }, person)).toEqual({ ok: true, number: 2 });
  expect(await publish('a', 1, { hours: 32 }, person)).toMatchObject({
    ok: false,
    reason: 'moved-on',
    current: { number: 2, author: { person }, base: 1, value: { hours: 31 } },
  });
  expect(await courses()).toMatchObject([{ hours: 31 }, { hours: 30 }]);
  expect(await publish('a', 2, { hours: 31 }, person)).toEqual({ ok: false, reason: 'unchanged' });

  // At the same moment.
  const both = await Promise.all([publish('b', 1, { hours: 33 }, person), publish('b', 1, { hours: 34 }, person)]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect(await history('b', 'number')).toHaveLength(2);
});

test('P75: what somebody published stays at the next import, and both are in the history', async () => {
  const person = await staffMember();
  await put(sampleContent([a, b]));
  await publish('a', 1, { price: 1700 }, person);
  const files = sampleContent([{ ...a, price: 1800, hours: 31 }, b]);
  expect(await put(files)).toMatchObject({
    ok: true,
    plan: { changed: [{ key: 'a', fields: ['hours'] }], conflicts: [{ key: 'a', field: 'price' }] },
  });
  expect(await courses()).toMatchObject([{ price: 1700, hours: 31 }, {}]);
  expect(await put(files)).toMatchObject({ ok: true, plan: { conflicts: [{ key: 'a', field: 'price' }] } });
  expect(await put(files, 'ours')).toMatchObject({ ok: true, plan: { changed: [], conflicts: [] } });
  expect(await put(files)).toMatchObject({ ok: true, plan: { changed: [], conflicts: [], kept: [{ key: 'a' }] } });
  expect(await history('a', 'price')).toEqual([
    [1, 'published', 'import', 1500],
    [2, 'published', { person }, 1700],
    [3, 'published', 'import', 1700],
    // It settles the conflict.
    [4, 'published', 'import', 1700],
  ]);
});

test('P70: any revision can be published again, the first and one before a retirement included', async () => {
  const person = await staffMember();
  await put(sampleContent([a, b]));
  await publish('b', 1, { title: 'B anew', price: 1700 }, person);
  const { id } = await recordOf('course', 'b');
  const revert = (number: number) =>
    database.db
      .transaction()
      .execute((trx) => revertTo(trx, { id, number, author: { person }, note: 'As it was' }, at));
  expect(await revert(1)).toEqual({ ok: true, number: 3 });
  // Prices are the ledger's.
  expect(await courses()).toEqual([a, { ...b, price: 1700 }]);
  expect(await revert(1)).toEqual({ ok: false, reason: 'unchanged' });
  expect(await revert(9)).toEqual({ ok: false, reason: 'unknown' });

  expect(await publish('b', 3, null, person)).toEqual({ ok: true, number: 4 });
  expect(await courses()).toEqual([a]);
  expect(await revert(2)).toEqual({ ok: true, number: 5 });
  expect(await courses()).toMatchObject([{}, { title: 'B anew', price: 1700 }]);
  expect(await revert(4)).toEqual({ ok: true, number: 6 });
  expect(await courses()).toEqual([a]);
  expect(await history('b', 'title')).toEqual([
    [1, 'published', 'import', 'Course b'],
    [2, 'published', { person }, 'B anew'],
    [3, 'published', { person }, 'Course b'],
    [4, 'retired', { person }, 'Course b'],
    [5, 'published', { person }, 'B anew'],
    [6, 'retired', { person }, 'B anew'],
  ]);
});

test('an import that would leave the content unsound is refused and changes nothing', async () => {
  const person = await staffMember();
  await put(sampleContent([a, b]));
  expect(await publish('a', 1, { category: 'unknown' }, person)).toEqual({
    ok: false,
    reason: 'unsound',
    faults: ['course a category: no category has the slug "unknown"'],
  });
  expect(await publish('a', 1, { hours: 'many' }, person)).toMatchObject({ ok: false, reason: 'unsound' });
  expect(await publish('a', 1, null, person)).toMatchObject({
    ok: false,
    faults: expect.arrayContaining([
      'course b needs.0: no course has the slug "a"',
      'course a: Course a, 15 to 19 September 2025, is still to be held; staff must cancel this course date or change it first',
    ]),
  });
  const partner = await recordOf('partner', 'CompTIA');
  const renamed = { id: partner.id, base: 1, value: { name: 'Another', at: 0 }, author: { person }, note: null };
  expect(await database.db.transaction().execute((trx) => publishRevision(trx, renamed, at))).toMatchObject({
    ok: false,
    reason: 'unsound',
  });
  expect(await courses()).toEqual([a, b]);
  expect(await history('a', 'hours')).toHaveLength(1);
});

test('P70: what was changed in SQL becomes a revision before the next one, and a base before it has moved on', async () => {
  const person = await staffMember();
  await put(sampleContent([a, b]));
  await database.db.updateTable('courses').set({ hours: 40 }).where('slug', '=', 'a').execute();
  expect(await publish('a', 1, { learners: 5 }, person)).toMatchObject({
    reason: 'moved-on',
    current: { number: 2, author: 'found', value: { hours: 40 } },
  });
  await database.db.updateTable('courses').set({ retired_at: at.now }).where('slug', '=', 'b').execute();
  expect(
    await put(
      sampleContent([
        { ...a, price: 1600 },
        { ...b, price: 1600 },
      ]),
      'theirs',
    ),
  ).toMatchObject({ ok: true });
  expect(await history('a', 'hours')).toEqual([
    [1, 'published', 'import', 30],
    [2, 'published', 'found', 40],
    [3, 'published', 'import', 40],
  ]);
  expect(await history('b', 'price')).toEqual([
    [1, 'published', 'import', 1500],
    [2, 'retired', 'found', 1500],
    [3, 'published', 'import', 1600],
  ]);
});

test('P3: a renamed course keeps its history, no matter who renamed it, and a revert does not take its new slug away', async () => {
  await put(sampleContent([a, b]));
  const { id } = await recordOf('course', 'a');
  const renamed = {
    ...sampleContent([
      { ...a, slug: 'c', aliases: ['a'], hours: 31 },
      { ...b, needs: ['c'] },
    ]),
  };
  await put(renamed);
  expect((await recordOf('course', 'c')).id).toBe(id);
  await database.db.updateTable('courses').set({ slug: 'd' }).where('slug', '=', 'c').execute();
  expect((await recordOf('course', 'd')).id).toBe(id);
  expect(await put(renamed)).toMatchObject({ ok: true, plan: { changed: [], conflicts: [] } });
  expect(await history('d', 'hours')).toHaveLength(2);
  // It needs the same course as before, whatever that is called.
  expect(await history('b', 'needs')).toEqual([[1, 'published', 'import', ['d']]]);

  const wish = { id, number: 1, author: 'command line', note: null } as const;
  expect(await database.db.transaction().execute((trx) => revertTo(trx, wish, at))).toMatchObject({ ok: true });
  expect(await courses()).toMatchObject([
    { slug: 'b', needs: ['d'] },
    { slug: 'd', hours: 30 },
  ]);
  const revisions = await listRevisions(database.db, await recordOf('course', 'b'));
  expect(currentOf(revisions)?.value.needs).toEqual(['d']);

  // Retired under its new slug, it comes back under that.
  const person = await staffMember();
  expect(await publish('b', 1, { needs: undefined, slug: 'e', aliases: ['b'] }, person)).toMatchObject({ ok: true });
  expect(await publish('e', 2, null, person)).toMatchObject({ ok: true });
  const e = await recordOf('course', 'e');
  const back = { id: e.id, number: 1, author: { person }, note: null };
  expect(await database.db.transaction().execute((trx) => revertTo(trx, back, at))).toMatchObject({ ok: true });
  expect((await courses())?.map(({ slug }) => slug)).toEqual(['d', 'e']);
});

test('npm run content -- history and revert show and bring back what was published', async () => {
  const { db } = database;
  const person = await staffMember();
  await put(sampleContent([a, b]));
  await publish('a', 1, { price: 1700, title: 'A anew' }, person);
  const record = await recordNamed(db, 'course', 'a');
  if (typeof record === 'string') throw new Error(record);
  expect(await revertRecord(db, record, 1, at)).toEqual({
    done: true,
    lines: ['course a is as it was in revision 1: revision 3.'],
  });
  expect(await revertRecord(db, record, 7, at)).toMatchObject({ done: false });
  expect((await describeHistory(db, record)).split('\n')).toEqual([
    'course a',
    '3  Monday 8 September 2025  command line  published now: title (Back to revision 1)',
    '2  Monday 8 September 2025  Ada Byron  published: price, title',
    '1  Monday 8 September 2025  import  published: first revision',
  ]);
  expect(await recordNamed(db, 'certification-group', 'foundation')).toMatchObject({ kind: 'certification group' });
  expect(await recordNamed(db, 'course', 'nothing')).toContain('There is no course "nothing"');
});
