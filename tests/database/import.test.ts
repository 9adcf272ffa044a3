import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { exportContent, importContent } from '#app/features/content/import-content.server.ts';
import { courseFileNames, readContent } from '#app/features/content/read-content.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { writeContent } from '#app/features/content/write-content.server.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const at = { today: '2026-11-21', now: new Date('2026-11-21T00:00:00Z') };
const run = (content: Content, agree = true) => importContent(database.db, content, at, () => agree);
const version = async () =>
  (await database.db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()).version;

test('the whole catalogue goes in and comes out the same, file by file', async () => {
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
  expect(again.plan).toMatchObject({ added: [], changed: [], retired: [] });
  expect(await version()).toBe(before);
});

test('P13: a later import keeps the shift of the first', async () => {
  const content = sampleContent([sampleCourse('a')]);
  await run(content);
  const later = await importContent(database.db, content, { ...at, today: '2027-06-01' }, () => true);
  expect(later).toMatchObject({ ok: true, shiftWeeks: 63, plan: { changed: [] } });
});

test('a plan that is declined changes nothing', async () => {
  await run(sampleContent([sampleCourse('a')]));
  const before = await version();
  const result = await run(sampleContent([sampleCourse('b')]), false);
  expect(result).toMatchObject({ ok: false, reason: 'declined' });
  expect(await version()).toBe(before);
});

test('a course that left the content is retired, kept, and revived when it comes back', async () => {
  const keeper = sampleCourse('keeper');
  const leaver = sampleCourse('leaver', { aliases: ['former'] });
  await run(sampleContent([keeper, leaver]));
  await run(sampleContent([keeper]));
  const retired = await database.db.selectFrom('courses').selectAll().where('slug', '=', 'leaver').executeTakeFirst();
  expect(retired?.retired_at).toEqual(at.now);
  expect((await exportContent(database.db))?.courses.map(({ slug }) => slug)).toEqual(['keeper']);

  // Its former name is free for another.
  await run(sampleContent([{ ...keeper, aliases: ['former'] }]));
  await run(sampleContent([keeper, leaver]));
  expect((await exportContent(database.db))?.courses).toEqual([keeper, leaver]);
});

test('an alias may move from one course to another in one import', async () => {
  const [a, b] = [sampleCourse('a'), sampleCourse('b')];
  await run(sampleContent([{ ...a, aliases: ['old'] }, b]));
  await run(sampleContent([a, { ...b, aliases: ['old'] }]));
  const rows = await database.db.selectFrom('course_aliases').select(['alias', 'course_slug']).execute();
  expect(rows).toEqual([{ alias: 'old', course_slug: 'b' }]);
});

test('an import that fails half-way leaves everything as it was', async () => {
  await run(sampleContent([sampleCourse('a')]));
  const before = { version: await version(), content: await exportContent(database.db) };
  const broken = sampleContent([sampleCourse('b', { category: 'unknown' })]);
  await expect(run(broken)).rejects.toThrow(/foreign key/);
  expect({ version: await version(), content: await exportContent(database.db) }).toEqual(before);
});

test('a stored text of an older shape is mended by an import, not in its way', async () => {
  const content = sampleContent([sampleCourse('a')]);
  await run(content);
  const old = JSON.stringify([{ shape: 'of long ago' }]);
  await database.db.updateTable('site_documents').set({ body: old }).where('name', '=', 'faq').execute();
  const result = await run(content);
  expect(result.plan.added).toEqual([{ kind: 'document', key: 'faq' }]);
  expect((await run(content)).plan).toMatchObject({ added: [], changed: [] });
});

test('two imports at once do not mix', async () => {
  await run(sampleContent([sampleCourse('start')]));
  const one = sampleContent([sampleCourse('a'), sampleCourse('b')]);
  const two = sampleContent([sampleCourse('c'), sampleCourse('d')]);
  await Promise.all([run(one), run(two)]);
  const slugs = (await exportContent(database.db))?.courses.map(({ slug }) => slug).join();
  expect(['a,b', 'c,d']).toContain(slugs);
});
