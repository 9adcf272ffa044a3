import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { type Catalogue, openCatalogue } from '#app/features/catalogue/catalogue.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { until } from '#tests/support/until.ts';

const quiet = { info: () => undefined, warn: () => undefined };
let database: TestDatabase;
let catalogue: Catalogue;

const at = { today: '2025-09-08', now: new Date('2025-09-08T00:00:00Z') };
const put = (content: Content) => importContent(database.db, content, at, () => true);

beforeEach(async () => {
  database = await createTestDatabase();
  await put(
    sampleContent([sampleCourse('a', { aliases: ['old-a'], learners: 5 }), sampleCourse('b', { learners: 20_000 })]),
  );
  catalogue = await openCatalogue(database.db, database.connection, quiet);
});
afterEach(async () => {
  await catalogue.stop();
  await database.drop();
});

test('the snapshot holds what cards show, most learners first', () => {
  const { courses, bySlug, aliases, categories } = catalogue.snapshot();
  expect(courses.map(({ card }) => card.slug)).toEqual(['b', 'a']);
  expect(bySlug.get('b')?.card).toMatchObject({
    category: { slug: 'soc', name: 'SOC' },
    treasure: 'eye',
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

test('a change by another connection shows within a second, details too', async () => {
  expect(await catalogue.details('a')).toMatchObject({ ok: true, details: { prerequisites: ['None.'] } });
  const startedAt = performance.now();
  await put(sampleContent([sampleCourse('a', { price: 1999, prerequisites: ['A keyboard.'] })]));
  await until(() => catalogue.snapshot().bySlug.get('a')?.card.priceCents === 199_900);
  expect(performance.now() - startedAt).toBeLessThan(1000);
  expect(catalogue.snapshot().bySlug.has('b')).toBe(false);
  expect(await catalogue.details('a')).toMatchObject({ details: { prerequisites: ['A keyboard.'] } });
});

test('a plain edit in SQL is noticed as well', async () => {
  await database.db.updateTable('courses').set({ title: 'Renamed' }).where('slug', '=', 'a').execute();
  await until(() => catalogue.snapshot().bySlug.get('a')?.card.title === 'Renamed');
});

test('the snapshot one holds does not change under one’s hands', async () => {
  const held = catalogue.snapshot();
  await put(sampleContent([sampleCourse('c')]));
  await until(() => catalogue.snapshot() !== held);
  expect(held.courses.map(({ card }) => card.slug)).toEqual(['b', 'a']);
});

test('P1: quest lines, exams and the ways through a course come out of the database', async () => {
  const courses = ['a', 'b', 'c'].map((slug) =>
    sampleCourse(slug, slug === 'b' ? { exams: ['X-1'], needs: ['a'], leadsTo: ['c'] } : {}),
  );
  const steps = courses.map(({ slug }) => ({ course: slug, reason: `Why ${slug}` }));
  const line = {
    slug: 'line',
    title: 'Line',
    treasure: 'eye' as const,
    description: 'Towards a role. '.repeat(5).trim(),
    role: 'Word '.repeat(50).trim(),
  };
  const exam = { code: 'X-1', body: 'Body', title: 'Exam', status: 'current' as const };
  await put({ ...sampleContent(courses), questLines: [{ ...line, steps }], exams: [exam] });
  await until(() => catalogue.snapshot().questLines.length === 1);
  const { questLines, exams, bySlug } = catalogue.snapshot();
  expect(questLines[0]).toMatchObject({ title: 'Line', hours: 90, priceCents: 450_000 });
  expect(exams.get('X-1')).toEqual(exam);
  expect(bySlug.get('b')).toMatchObject({ examCodes: ['X-1'], needs: ['a'], leadsTo: ['c'] });
  expect(bySlug.get('a')).toMatchObject({ examCodes: [], needs: [], leadsTo: [] });
});

test('a catalogue imported before there were quest lines goes on after the migration, and its next import fills them', async () => {
  await catalogue.stop();
  const { db } = database;
  await db.deleteFrom('site_documents').where('name', 'in', ['questLines', 'exams']).execute();
  await sql`alter table courses drop column exams, drop column needs, drop column leads_to`.execute(db);
  await sql.raw(await readFile(path.join(projectRoot, 'db/migrations/0003_paths.sql'), 'utf8')).execute(db);
  catalogue = await openCatalogue(db, database.connection, quiet);
  expect(catalogue.snapshot()).toMatchObject({ questLines: [], exams: new Map() });
  expect(catalogue.snapshot().courses).toHaveLength(2);
  await put({
    ...sampleContent([sampleCourse('a')]),
    exams: [{ code: 'X-1', body: 'B', title: 'E', status: 'current' }],
  });
  await until(() => catalogue.snapshot().exams.size === 1);
});
