import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { type Change, publishChange } from '#tests/support/content-edits.ts';
import { makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const noon = new Date('2025-09-08T02:00:00Z');
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('template', 'owner');
});
afterEach(() => database.drop());

const momentOn = (day: string) => ({ today: day, now: new Date(`${day}T00:00:00Z`) });
const fill = (courses: CourseContent[], day: string) =>
  fillDatabase(database.db, sampleContent(courses), momentOn(day));
const periods = async (db: Db, slug: string) => {
  const rows = await db
    .selectFrom('prices')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['amount_cents', 'original_cents', 'from_at', 'until_at', 'author', 'proof'])
    .where('slug', '=', slug)
    .orderBy('prices.id')
    .execute();
  return rows.map(({ from_at, until_at, ...row }) => [
    row.amount_cents,
    row.original_cents,
    from_at.toISOString().slice(0, 10),
    until_at?.toISOString().slice(0, 10) ?? null,
    row.author,
    row.proof,
  ]);
};

test('P47, P76: a price that changes ends its period and begins the next', async () => {
  const { db } = database;
  const publish = (to: Change['to'], day: string) => publishChange(db, { kind: 'course', key: 'a', to }, momentOn(day));
  await fill([sampleCourse('a', { price: 1500, originalPrice: 1900 }), sampleCourse('b')], '2025-09-08');
  expect(await periods(db, 'a')).toEqual([[150_000, 190_000, '2025-09-08', null, 'files', 'the brief']]);
  await publish({ price: 1600 }, '2025-09-10');
  await publish({ originalPrice: undefined, title: 'New' }, '2025-09-12');
  await publish({ title: 'Newer' }, '2025-09-13');
  expect(await periods(db, 'a')).toEqual([
    [150_000, 190_000, '2025-09-08', '2025-09-10', 'files', 'the brief'],
    [160_000, 190_000, '2025-09-10', '2025-09-12', 'program', 'the brief'],
    [160_000, null, '2025-09-12', null, 'program', null],
  ]);
  expect(await periods(db, 'b')).toHaveLength(1);
});

test('P76: the ledger says which person of staff changed a price, and when nobody said who', async () => {
  const { db } = database;
  await fill([sampleCourse('a', { price: 1500 })], '2025-09-08');
  const { id: person } = await db
    .insertInto('people')
    .values({ name: 'Ada', email: 'ada@example.com', created_at: noon })
    .returning('id')
    .executeTakeFirstOrThrow();
  const by = { author: { person }, note: 'Dearer' };
  const dearer = { kind: 'course', key: 'a', to: { price: 1700 } } as const;
  expect(await publishChange(db, dearer, momentOn('2025-09-09'), by)).toMatchObject({ ok: true });
  const open = () => db.selectFrom('prices').selectAll().where('until_at', 'is', null).executeTakeFirstOrThrow();
  expect(await open()).toMatchObject({ amount_cents: 170_000, author: 'person', person_id: person, note: 'Dearer' });
  await db.updateTable('courses').set({ price_cents: 180_000 }).execute();
  expect(await open()).toMatchObject({ amount_cents: 180_000, author: 'found', person_id: null, note: null });
});

test('P76: the database refuses periods that overlap, differ from the asked price, or change afterwards', async () => {
  const { db } = database;
  await fill([sampleCourse('a', { price: 1500 })], '2025-09-08');
  const at = (day: string) => new Date(`${day}T00:00:00Z`);
  const { course_id, id } = await db.selectFrom('prices').selectAll().executeTakeFirstOrThrow();
  const row = { course_id, amount_cents: 100, author: 'program' } as const;
  const write = (from: string, until: string | null) =>
    db
      .insertInto('prices')
      .values({ ...row, from_at: at(from), until_at: until && at(until) })
      .execute();
  await expect(write('2025-09-09', null)).rejects.toThrow('one_price_at_a_time');
  await expect(write('2025-09-01', '2025-09-09')).rejects.toThrow('one_price_at_a_time');
  await write('2025-09-01', '2025-09-08');
  const change = (set: object) => db.updateTable('prices').set(set).where('id', '=', id).execute();
  await expect(change({ until_at: at('2025-10-01') })).rejects.toThrow('is not the one that courses has');
  await expect(change({ amount_cents: 1 })).rejects.toThrow('only added to');
  await expect(db.deleteFrom('prices').execute()).rejects.toThrow('only added to');
  await change({ proof: 'Invoices of August' });
});

test('P76: two processes that change one price at once leave one period after the other', async () => {
  const { db, connection } = database;
  await fill([sampleCourse('a', { price: 1500 })], '2025-09-08');
  const other = createDb(connection, () => undefined);
  const raise = (on: Db, cents: number) => on.updateTable('courses').set({ price_cents: cents }).execute();
  await Promise.all([160_000, 170_000, 180_000, 190_000].map((cents, at) => raise(at % 2 ? other : db, cents)));
  await other.destroy();
  const rows = await db.selectFrom('prices').selectAll().orderBy('id').execute();
  expect(rows).toHaveLength(5);
  rows.forEach(({ until_at }, at) => {
    expect(until_at).toEqual(rows[at + 1]?.from_at ?? null);
  });
  const { price_cents } = await db.selectFrom('courses').select('price_cents').executeTakeFirstOrThrow();
  expect(rows.at(-1)?.amount_cents).toBe(price_cents);
});

test('P76: a place names the period of its price, and keeps it when the price changes', async () => {
  const { db } = database;
  await fill([sampleCourse('a', { price: 1500 })], '2025-09-08');
  const courseDate = await makeCourseDate(db, { course: 'a' });
  const place = async () => {
    const order = await orderOf(db, [seatIn(courseDate)]);
    const now = momentAt('2025-09-08T09:00');
    return db.transaction().execute((trx) => placeEnrolment(trx, order, now));
  };
  expect(await place()).toMatchObject({ ok: true });
  await db.updateTable('courses').set({ price_cents: 160_000 }).execute();
  expect(await place()).toMatchObject({ ok: true });
  const bought = await db
    .selectFrom('places')
    .innerJoin('prices', 'prices.id', 'price_id')
    .select(['price_cents', 'amount_cents'])
    .orderBy('places.id')
    .execute();
  expect(bought).toEqual([
    { price_cents: 150_000, amount_cents: 150_000 },
    { price_cents: 160_000, amount_cents: 160_000 },
  ]);
});
