import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { saveRecordDraft } from '#app/features/content/edit.server.ts';
import { exportContent, readDrafts } from '#app/features/content/export.server.ts';
import { readContent, writeContent } from '#app/features/content/files.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { readPublished } from '#app/features/content/revisions.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openingDay, readAcademy } from '#tests/support/academy.ts';
import { type Change, editOf, publishChange, standingIn } from '#tests/support/content-edits.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const later = { today: '2026-11-21', now: new Date('2026-11-21T00:00:00Z') };
const fill = (content: Content, at = openingDay) => fillDatabase(database.db, content, at);

/** Content as files have it that fill a database without moving a date. */
function withoutAsOf(content: Content): Content {
  const { asOf: _, ...site } = content.site;
  return { ...content, site };
}

/** Writes files of what is published, and fills another empty database from them, on another day. */
async function filledFromExport(from: TestDatabase): Promise<TestDatabase> {
  const files = temporaryFolder();
  const other = await createTestDatabase();
  const exported = await exportContent(from.db);
  if (!exported) throw new Error('nothing was exported');
  await writeContent(files.folder, exported);
  const read = await readContent(files.folder);
  files.remove();
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  expect(await fillDatabase(other.db, read.content, later)).toBe(true);
  return other;
}

/** What is published, whichever order the database gives it in. */
const recordsIn = async ({ db }: TestDatabase) =>
  new Map((await readPublished(db)).map(({ kind, key, value }) => [`${kind} ${key}`, value]));
const courseDatesIn = ({ db }: TestDatabase) =>
  db.selectFrom('course_dates').select(['slug', 'starts_on', 'enrolment_ends_on']).orderBy('slug').execute();

test('P95: the academy, exported on its opening day, is what its files say', async () => {
  const academy = await readAcademy();
  await fill(academy);
  expect(await exportContent(database.db)).toEqual(withoutAsOf(academy));
});

torture('P95: an export fills another empty database with the same records and dates, on any day', async () => {
  await fill(await readAcademy(), later);
  const other = await filledFromExport(database);
  expect(await recordsIn(other)).toEqual(await recordsIn(database));
  expect(await courseDatesIn(other)).toEqual(await courseDatesIn(database));
  expect(await exportContent(other.db)).toEqual(await exportContent(database.db));
  await other.drop();
});

test('P95: an export of edited content fills a database with the same: renamed, retired, moved and drafted records', async () => {
  const { db } = database;
  const [a, b, c] = [sampleCourse('a'), sampleCourse('b', { needs: ['a'] }), sampleCourse('c', { aliases: ['old-c'] })];
  await fill({ ...sampleContent([a, b, c]), partners: [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }] }, later);
  const change = async (kind: Change['kind'], key: string, to: Change['to']) =>
    expect(await publishChange(db, { kind, key, to }, later)).toMatchObject({ ok: true });
  await change('course', 'a', { slug: 'renamed', price: 1700 });
  await change('course', 'c', null);
  await change('partner', 'One', null);
  await change('page', 'terms', { title: 'Terms of sale' });
  const { id } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada Byron' }, later.now);
  const draft = editOf(await standingIn(db, 'course', 'b'), { title: 'A draft' });
  await db.transaction().execute((trx) => saveRecordDraft(trx, draft, { editor: { person: id }, now: later.now }));
  await db.updateTable('course_dates').set({ starts_on: '2027-02-01', ends_on: '2027-02-05' }).execute();

  const other = await filledFromExport(database);
  expect(await recordsIn(other)).toEqual(await recordsIn(database));
  expect(await courseDatesIn(other)).toEqual(await courseDatesIn(database));
  const exported = await exportContent(other.db);
  expect(exported?.courses.map(({ slug }) => slug)).toEqual(['b', 'renamed']);
  expect(exported?.courses).toMatchObject([
    { title: 'Course b', needs: ['renamed'] },
    { aliases: ['a'], price: 1700 },
  ]);
  expect(exported?.partners.map(({ name }) => name)).toEqual(['Two', 'Three']);
  expect(await readDrafts(other.db)).toEqual([]);
  await other.drop();
});

test('P95: a database that has content is not filled again', async () => {
  expect(await fill(sampleContent([sampleCourse('a')]))).toBe(true);
  const before = await exportContent(database.db);
  expect(await fill(sampleContent([sampleCourse('b')]))).toBe(false);
  expect(await exportContent(database.db)).toEqual(before);
});

test('P95: when two programs start at once, one fills the database', async () => {
  const other = createDb(database.connection, () => undefined);
  const filled = await Promise.all([
    fill(sampleContent([sampleCourse('a')])),
    fillDatabase(other, sampleContent([sampleCourse('b')]), openingDay),
  ]);
  await other.destroy();
  expect(filled.toSorted()).toEqual([false, true]);
  expect((await exportContent(database.db))?.courses).toHaveLength(1);
});

test('P95: a filling that fails half-way leaves an empty database, which the next start fills', async () => {
  const content = sampleContent([sampleCourse('a')]);
  const [courseDate] = content.courseDates;
  if (!courseDate) throw new Error('the sample has a course date');
  const broken = { ...content, courseDates: [courseDate, { ...courseDate, slug: 'second', instructor: 'nobody' }] };
  await expect(fill(broken)).rejects.toThrow();
  expect(await exportContent(database.db)).toBeNull();
  expect(await database.db.selectFrom('courses').select('id').execute()).toEqual([]);
  expect(await fill(content)).toBe(true);
});

test('P70: every record is there as its first revision, which the files made', async () => {
  await fill(sampleContent([sampleCourse('a'), sampleCourse('b')]));
  const rows = await database.db.selectFrom('content_revisions').select(['number', 'author', 'state']).execute();
  expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
    new Set([JSON.stringify({ number: 1, author: 'files', state: 'published' })]),
  );
  expect(rows).toHaveLength((await readPublished(database.db)).length);
});

test('P13: dates move with the day, and a course date on past the public holidays of its place', async () => {
  const content = sampleContent([sampleCourse('a')]);
  const [first] = content.courseDates;
  if (!first) throw new Error('the sample has a course date');
  const sydney = { zone: 'Australia/Sydney' as const, delivery: 'in-person' as const, venue: 'Sydney' };
  // The common move would put it on the days after Christmas 2026.
  const christmas = { ...first, ...sydney, slug: 'christmas', startDate: '2025-10-13', endDate: '2025-10-17' };
  const days = ['2026-12-25', '2026-12-28', '2027-01-01'];
  const holiday = {
    slug: 'year-end',
    name: 'Year end',
    states: ['NSW' as const],
    rule: 'Listed',
    source: 'Test',
    days,
  };
  await fill({ ...content, holidays: [holiday], courseDates: [first, christmas] }, later);
  expect((await courseDatesIn(database)).map(({ slug, starts_on }) => [slug, starts_on])).toEqual([
    ['christmas', '2027-01-04'],
    ['first-course-date', '2026-11-30'],
  ]);
});
