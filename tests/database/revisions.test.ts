import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { publishRevision, revertTo } from '#app/features/content/publish.server.ts';
import { currentOf, type RecordRef, type RecordValue } from '#app/features/content/records.ts';
import { findRecord, listRevisions } from '#app/features/content/revisions.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const at = momentAt('2025-09-08T10:00');
const fill = (content: Content) => fillDatabase(database.db, content, at);
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

/** Publishes a record of which somebody changed some fields since its revision `base`. */
async function publish(key: string, base: number, parts: RecordValue | null, person: number, kind = 'course') {
  const record = await recordOf(kind, key);
  const from = (await listRevisions(database.db, record)).find(({ number }) => number === base);
  const value = parts && { ...from?.value, ...parts };
  const wish = { id: record.id, base, value, author: { person }, note: null };
  return database.db.transaction().execute((trx) => publishRevision(trx, wish, at));
}

test('P71: when two people start from one revision the second is refused, with the first one’s text', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, b]));
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

test('P70: any revision can be published again, the first and one before a retirement included', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, b]));
  await publish('b', 1, { title: 'B anew', price: 1700 }, person);
  const { id } = await recordOf('course', 'b');
  const revert = (number: number) =>
    database.db
      .transaction()
      .execute((trx) => revertTo(trx, { id, number, author: { person }, note: 'As it was' }, at, anOwner.can));
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
    [1, 'published', 'files', 'Course b'],
    [2, 'published', { person }, 'B anew'],
    [3, 'published', { person }, 'Course b'],
    [4, 'retired', { person }, 'Course b'],
    [5, 'published', { person }, 'B anew'],
    [6, 'retired', { person }, 'B anew'],
  ]);
});

test('a change that would leave the content unsound is refused and changes nothing', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, b]));
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

test('P3: a renamed course keeps its history, what names it follows, and a revert does not take its new slug away', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, b]));
  const { id } = await recordOf('course', 'a');
  expect(await publish('a', 1, { slug: 'c', hours: 31 }, person)).toMatchObject({ ok: true });
  expect((await recordOf('course', 'c')).id).toBe(id);
  expect(await history('c', 'hours')).toEqual([
    [1, 'published', 'files', 30],
    [2, 'published', { person }, 31],
  ]);
  // It needs the same course as before, whatever that is called.
  expect(await history('b', 'needs')).toEqual([
    [1, 'published', 'files', ['c']],
    [2, 'published', { person }, ['c']],
  ]);

  const wish = { id, number: 1, author: { person }, note: null };
  const back = await database.db.transaction().execute((trx) => revertTo(trx, wish, at, anOwner.can));
  expect(back).toMatchObject({ ok: true });
  expect(await courses()).toMatchObject([
    { slug: 'b', needs: ['c'] },
    { slug: 'c', hours: 30, aliases: ['a'] },
  ]);
});

test('P3: records that name a renamed course still do when it gives up its former slug', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, b]));
  await publish('a', 1, { slug: 'c' }, person);
  expect(await publish('c', 2, { aliases: undefined }, person)).toMatchObject({ ok: true });
  expect(await courses()).toMatchObject([{ slug: 'b', needs: ['c'] }, { slug: 'c' }]);
  expect(await publish('b', 2, { hours: 31 }, person)).toMatchObject({ ok: true });
});

test('P3: retired under a new slug, a course comes back under that', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, b]));
  expect(await publish('b', 1, { slug: 'e' }, person)).toMatchObject({ ok: true });
  expect(await publish('e', 2, null, person)).toMatchObject({ ok: true });
  const { id } = await recordOf('course', 'e');
  const back = { id, number: 1, author: { person }, note: null };
  expect(await database.db.transaction().execute((trx) => revertTo(trx, back, at, anOwner.can))).toMatchObject({
    ok: true,
  });
  expect((await courses())?.map(({ slug }) => slug)).toEqual(['a', 'e']);
});

test('P3: a former slug of a retired course can become one of another course', async () => {
  const person = await staffMember();
  await fill(sampleContent([a, { ...b, aliases: ['old-b'] }]));
  expect(await publish('b', 1, null, person)).toMatchObject({ ok: true });
  expect(await publish('a', 1, { aliases: ['old-b'] }, person)).toMatchObject({ ok: true });
  expect(await findCourse(database.db, 'old-b')).toMatchObject({ slug: 'a' });
});

test('P3: a renamed course keeps its modules, and each can be changed', async () => {
  const person = await staffMember();
  const body = '## Reading\n\nA text.\n\n## Exercise\n\nName three.';
  await fill({ ...sampleContent([a, b]), modules: [{ course: 'a', number: 1, title: 'Module 0', body }] });
  await publish('a', 1, { slug: 'c' }, person);
  const changed = { body: body.replace('three', 'four') };
  expect(await publish('c/01', 2, changed, person, 'module')).toMatchObject({ ok: true });
  const exported = await exportContent(database.db);
  expect(exported?.modules).toEqual([{ course: 'c', number: 1, title: 'Module 0', ...changed }]);
  const stored = database.db.selectFrom('course_modules').select(['number', 'body', 'retired_at']);
  expect(await stored.execute()).toEqual([{ number: 1, ...changed, retired_at: null }]);
});

test('P70: a record that is retired lets those behind it in its list move up', async () => {
  const person = await staffMember();
  await fill({ ...sampleContent([a, b]), partners: [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }] });
  expect(await publish('One', 1, null, person, 'partner')).toMatchObject({ ok: true });
  const placeOf = async (key: string) =>
    currentOf(await listRevisions(database.db, await recordOf('partner', key)))?.value.at;
  expect([await placeOf('Two'), await placeOf('Three')]).toEqual([0, 1]);
});
