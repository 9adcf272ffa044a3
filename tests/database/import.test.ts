import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { taughtHoursFaults } from '#app/features/content/check/taught-hours.ts';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { type ImportResult, importContent } from '#app/features/content/import-content.server.ts';
import { findImportDue, isStillDue } from '#app/features/content/import-due.server.ts';
import type { ImportPlan } from '#app/features/content/plan.ts';
import { courseFileNames, readContent } from '#app/features/content/read-content.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { writeContent } from '#app/features/content/write-content.server.ts';
import { readVersions } from '#app/features/snapshot/queries.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const at = { today: '2026-11-21', now: new Date('2026-11-21T00:00:00Z') };
const run = (content: Content, agree = true) => importContent(database.db, content, at, () => agree);
const version = () => readVersions(database.db);
const planned = (result: ImportResult) => {
  if (!('plan' in result)) throw new Error(result.faults.join('\n'));
  return result.plan;
};

test('importing and exporting the whole catalogue gives the same files', async () => {
  const folder = path.join(projectRoot, 'content');
  const read = await readContent(folder);
  if (!read.ok) throw new Error('content/ has faults');
  const imported = await run(read.content);
  expect(imported).toMatchObject({ ok: true, shiftWeeks: 63 });

  const target = await mkdtemp(path.join(os.tmpdir(), 'bowerbird-export-'));
  const exported = await exportContent(database.db);
  expect(exported).toEqual(read.content);
  if (exported) await writeContent(target, exported);
  const files = await courseFileNames(folder);
  expect(await courseFileNames(target)).toEqual(files);
  for (const file of [
    ...files,
    'site.yaml',
    'certifications.yaml',
    'quest-lines.yaml',
    'exams.yaml',
    'training-sessions.yaml',
    'claims.yaml',
    'partners.yaml',
    'holidays.yaml',
    'synonyms.yaml',
  ]) {
    expect(await readFile(path.join(target, file), 'utf8')).toBe(await readFile(path.join(folder, file), 'utf8'));
  }
  await rm(target, { recursive: true });
});

test('a second import of the same changes nothing, not even the version', async () => {
  const content = sampleContent([sampleCourse('a'), sampleCourse('b')]);
  await run(content);
  const before = await version();
  const again = await run(content);
  expect(planned(again)).toMatchObject({ added: [], changed: [], retired: [] });
  expect(await version()).toEqual(before);
});

test('P13: a later import keeps the shift of the first', async () => {
  const content = sampleContent([sampleCourse('a')]);
  await run(content);
  const later = await importContent(database.db, content, { ...at, today: '2027-06-01' }, () => true);
  expect(later).toMatchObject({ ok: true, shiftWeeks: 63, plan: { changed: [] } });
});

/** The sample with one session in Sydney that the common move would put on the days after Christmas 2026. */
function contentAcrossChristmas(): Content {
  const content = sampleContent([sampleCourse('a')]);
  const [first] = content.trainingSessions;
  if (!first) throw new Error('The sample has no training session');
  const christmas = {
    ...first,
    slug: 'christmas',
    startDate: '2025-10-13',
    endDate: '2025-10-17',
    breakMinutes: 60,
    zone: 'Australia/Sydney' as const,
    delivery: 'in-person' as const,
    venue: 'Sydney',
  };
  const days = ['2026-12-25', '2026-12-28', '2027-01-01'];
  const holidays = [
    { slug: 'year-end', name: 'Year end', states: ['NSW' as const], rule: 'Listed', source: 'The test', days },
  ];
  return { ...content, holidays, trainingSessions: [first, { ...christmas, instructor: 'mara' }] };
}
const startOf = async (slug: string) =>
  (await database.db.selectFrom('training_sessions').select('starts_on').where('slug', '=', slug).executeTakeFirst())
    ?.starts_on;

test('a session that would fall on a public holiday moves on alone, and an export gives the file as it was', async () => {
  const content = contentAcrossChristmas();
  await run(content);
  expect([await startOf('first-session'), await startOf('christmas')]).toEqual(['2026-11-30', '2027-01-04']);
  expect(await exportContent(database.db)).toEqual(content);
  expect(planned(await run(content))).toMatchObject({ added: [], changed: [], retired: [], kept: [] });
});

test('a session keeps the weeks it was given when holidays change, and when it is renamed or moved', async () => {
  const content = contentAcrossChristmas();
  await run(content);
  const without = { ...content, holidays: [] };
  expect(planned(await run(without))).toMatchObject({ conflicts: [], kept: [] });
  expect(await startOf('christmas')).toBe('2027-01-04');
  const christmas = () => database.db.updateTable('training_sessions').where('slug', 'in', ['christmas', 'summer']);
  await christmas().set({ slug: 'summer', starts_on: '2027-02-01', ends_on: '2027-02-05' }).execute();
  const moved = await exportContent(database.db);
  expect(moved?.trainingSessions[1]).toMatchObject({ slug: 'summer', startDate: '2025-11-10' });
  // An export settles all differences: importing it again changes nothing.
  if (!moved) throw new Error('nothing was exported');
  expect(planned(await run(moved))).toMatchObject({ changed: [], conflicts: [] });
  expect(await startOf('summer')).toBe('2027-02-01');
});

test('a date of staff whose day in the year of the files is a public holiday goes back past it, and comes back the same', async () => {
  const content = contentAcrossChristmas();
  const [yearEnd] = content.holidays;
  if (!yearEnd) throw new Error('no holiday');
  await run({ ...content, holidays: [{ ...yearEnd, days: [...yearEnd.days, '2025-11-12'] }] });
  const christmas = database.db.updateTable('training_sessions').where('slug', '=', 'christmas');
  await christmas.set({ starts_on: '2027-02-01', ends_on: '2027-02-05' }).execute();
  const exported = await exportContent(database.db);
  if (!exported) throw new Error('nothing was exported');
  expect(exported.trainingSessions[1]).toMatchObject({ slug: 'christmas', startDate: '2025-11-03' });
  expect(taughtHoursFaults(exported).filter(({ path: [, field] }) => field === 'startDate')).toEqual([]);
  const again = planned(await run(exported));
  expect(again).toMatchObject({ changed: [], conflicts: [], sessions: { differing: [] } });
  expect(await startOf('christmas')).toBe('2027-02-01');
  expect(await exportContent(database.db)).toEqual(exported);
});

test('an export gives back the sessions of the files, in whatever week the first import was', async () => {
  const academy = await readAcademy();
  const content = {
    ...sampleContent([sampleCourse('a')]),
    instructors: academy.instructors,
    holidays: academy.holidays,
    trainingSessions: academy.trainingSessions.map((session) => ({ ...session, course: 'a' })),
    courses: [sampleCourse('a', { instructor: academy.instructors[0]?.slug ?? '' })],
  };
  for (let week = 0; week < 104; week += 8) {
    const fresh = await createTestDatabase();
    try {
      const today = addDays(at.today, week * 7);
      expect(await importContent(fresh.db, content, { ...at, today }, () => true)).toMatchObject({ ok: true });
      expect(await exportContent(fresh.db)).toEqual(content);
    } finally {
      await fresh.drop();
    }
  }
});

test('a plan that is declined changes nothing', async () => {
  await run(sampleContent([sampleCourse('a')]));
  const before = await version();
  const result = await run(sampleContent([sampleCourse('a'), sampleCourse('b')]), false);
  expect(result).toMatchObject({ ok: false, reason: 'declined' });
  expect(await version()).toEqual(before);
});

test('a course removed from the content is retired, kept, and restored when it comes back', async () => {
  const keeper = sampleCourse('keeper');
  const leaver = sampleCourse('leaver', { aliases: ['former'] });
  await run(sampleContent([keeper, leaver]));
  await run(sampleContent([keeper]));
  const retired = await database.db.selectFrom('courses').selectAll().where('slug', '=', 'leaver').executeTakeFirst();
  expect(retired?.retired_at).toEqual(at.now);
  expect((await exportContent(database.db))?.courses.map(({ slug }) => slug)).toEqual(['keeper']);

  // Its alias may now be given to another course.
  await run(sampleContent([{ ...keeper, aliases: ['former'] }]));
  await run(sampleContent([keeper, leaver]));
  expect((await exportContent(database.db))?.courses).toEqual([keeper, leaver]);
});

test('an alias may move from one course to another in one import', async () => {
  const [a, b] = [sampleCourse('a'), sampleCourse('b')];
  await run(sampleContent([{ ...a, aliases: ['old'] }, b]));
  await run(sampleContent([a, { ...b, aliases: ['old'] }]));
  const rows = await database.db
    .selectFrom('course_aliases')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['alias', 'slug'])
    .execute();
  expect(rows).toEqual([{ alias: 'old', slug: 'b' }]);
});

test('an import that fails half-way leaves everything as it was', async () => {
  await run(sampleContent([sampleCourse('a')]));
  const before = { version: await version(), content: await exportContent(database.db) };
  const broken = sampleContent([sampleCourse('a'), sampleCourse('b', { category: 'unknown' })]);
  expect(await run(broken)).toEqual({
    ok: false,
    reason: 'unsound',
    faults: ['course b category: no category has the slug "unknown"'],
  });
  expect({ version: await version(), content: await exportContent(database.db) }).toEqual(before);
});

test('stored content in an outdated format is replaced by an import and does not block it', async () => {
  const content = sampleContent([sampleCourse('a')]);
  await run(content);
  const old = JSON.stringify([{ shape: 'of long ago' }]);
  await database.db.updateTable('site_content').set({ body: old }).where('name', '=', 'faq').execute();
  const result = await run(content);
  expect(planned(result).added).toEqual([]);
  expect(planned(await run(content))).toMatchObject({ added: [], changed: [] });
});

test('two imports at once do not mix', async () => {
  const start = sampleCourse('start');
  await run(sampleContent([start]));
  const one = sampleContent([start, sampleCourse('a'), sampleCourse('b')]);
  const two = sampleContent([start, sampleCourse('c'), sampleCourse('d')]);
  await Promise.all([run(one), run(two)]);
  const slugs = (await exportContent(database.db))?.courses.map(({ slug }) => slug).join();
  expect(['a,b,start', 'c,d,start']).toContain(slugs);
});

test('P46: changes by staff in the database stay, and a field changed on both sides is a conflict', async () => {
  const [a, b] = [sampleCourse('a'), sampleCourse('b')];
  await run(sampleContent([a, b]));
  await database.db.updateTable('courses').set({ price_cents: 170_000 }).where('slug', '=', 'a').execute();
  await database.db.updateTable('courses').set({ hours: 31 }).where('slug', '=', 'b').execute();
  const edited = sampleContent([
    { ...a, title: 'A anew' },
    { ...b, hours: 32 },
  ]);

  const first = planned(await run(edited));
  expect(first.kept).toEqual([{ kind: 'course', key: 'a', fields: ['price'] }]);
  expect(first.conflicts).toEqual([{ kind: 'course', key: 'b', field: 'hours' }]);
  expect((await exportContent(database.db))?.courses).toMatchObject([{ title: 'A anew', price: 1700 }, { hours: 31 }]);

  expect(planned(await run(edited)).conflicts).toHaveLength(1);
  const settled = planned(await importContent(database.db, edited, at, () => true, 'theirs'));
  expect(settled.changed).toEqual([{ kind: 'course', key: 'b', fields: ['hours'] }]);
  expect((await exportContent(database.db))?.courses[1]?.hours).toBe(32);
  expect(planned(await run(edited)).conflicts).toEqual([]);
});

test('P3: a rename in the files keeps the row and all references to it', async () => {
  const [a, b] = [sampleCourse('a'), sampleCourse('b', { needs: ['a'] })];
  await run(sampleContent([a, b]));
  const idOf = (slug: string) => database.db.selectFrom('courses').select('id').where('slug', '=', slug);
  const before = await idOf('a').executeTakeFirstOrThrow();
  const renamed = sampleContent([
    { ...a, slug: 'c', aliases: ['a'] },
    { ...b, needs: ['c'] },
  ]);
  const content = { ...renamed, trainingSessions: renamed.trainingSessions.map((one) => ({ ...one, course: 'c' })) };
  const plan = planned(await run(content));
  expect(plan).toMatchObject({ added: [], retired: [], renamed: [{ kind: 'course', key: 'a', to: 'c' }] });
  expect(await idOf('c').executeTakeFirstOrThrow()).toEqual(before);
  expect(await exportContent(database.db)).toEqual({
    ...content,
    courses: content.courses.toSorted((one, other) => one.slug.localeCompare(other.slug)),
  });
});

test('nothing is locked while the import waits for an answer, and later changes are compared again', async () => {
  await run(sampleContent([sampleCourse('a')]));
  const plans: ImportPlan[] = [];
  const result = await importContent(
    database.db,
    sampleContent([sampleCourse('a', { hours: 31 })]),
    at,
    async (plan) => {
      plans.push(plan);
      // Staff edit the course while the question is on the screen: the edit goes through at once.
      if (plans.length === 1) await database.db.updateTable('courses').set({ price_cents: 170_000 }).execute();
      return true;
    },
  );
  expect(result.ok).toBe(true);
  expect(plans.map(({ kept }) => kept.length)).toEqual([0, 1]);
  expect((await exportContent(database.db))?.courses).toMatchObject([{ hours: 31, price: 1700 }]);
});

test('files and database that are each valid but contradict each other are refused', async () => {
  const [a, b] = [sampleCourse('a'), sampleCourse('b')];
  await run(sampleContent([a, b]));
  const instructor = {
    slug: 'new',
    name: 'New',
    expertise: 'SOC',
    experience: '3 years',
    biography: 'New here.',
    position: 9,
  };
  await database.db.insertInto('instructors').values(instructor).execute();
  await database.db.updateTable('courses').set({ instructor_slug: 'new' }).where('slug', '=', 'b').execute();
  await database.db.updateTable('instructors').set({ retired_at: at.now }).where('slug', '=', 'new').execute();
  expect(await run(sampleContent([a, b]))).toMatchObject({
    ok: false,
    faults: ['course b instructor: no instructor has the slug "new"'],
  });
});

test('P46: content of an update is named until somebody imports it', async () => {
  const { db } = database;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bowerbird-due-'));
  const find = () => findImportDue(db, folder, at);
  const academy = await readAcademy();
  await writeContent(folder, academy);
  // The start of the program fills it.
  expect(await find()).toBeNull();
  await importContent(db, academy, at, () => true);
  expect(await find()).toBeNull();

  const page = academy.pages.find(({ slug }) => slug === 'terms');
  const [first, second, ...courses] = academy.courses;
  const [group, ...groups] = academy.faq;
  if (!page || !first || !second || !group) throw new Error('the academy has pages, courses and answers');
  const newer = { ...page, body: `${page.body}\n\nAnd more.` };
  const files = {
    ...academy,
    courses: [{ ...first, learners: first.learners + 1 }, { ...second, learners: second.learners + 1 }, ...courses],
    pages: academy.pages.map((other) => (other === page ? newer : other)),
    faq: [{ ...group, title: `${group.title} and more` }, ...groups],
  };
  await writeContent(folder, files);
  const due = await find();
  expect(due?.sentence).toBe(
    `content/ has what the database does not: 2 courses, 1 page, 1 FAQ group. To bring it to the database: npm run content -- import`,
  );
  expect(due && (await isStillDue(db, due))).toBe(true);
  await importContent(db, files, { ...at, now: new Date('2026-11-21T00:05:00Z') }, () => true);
  expect(due && (await isStillDue(db, due))).toBe(false);
  expect(await find()).toBeNull();
  await rm(path.join(folder, 'faq.yaml'));
  expect((await find())?.sentence).toContain('npm run content -- check');
  await rm(folder, { recursive: true });
});
