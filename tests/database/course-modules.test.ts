import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { findRecord, listRevisions } from '#app/features/content/queries.server.ts';
import { hashOfContent, readContent } from '#app/features/content/read-content.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { writeContent } from '#app/features/content/write-content.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { contentFolder } from '#tests/support/academy.ts';
import { renameIn } from '#tests/support/rename-course.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
const data = temporaryFolder();
const folder = path.join(data.folder, 'content');
const file = path.join(folder, 'modules/ai-security-foundations/01.md');
let title: string;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  await cp(contentFolder, folder, { recursive: true });
  const read = await readContent(folder);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  title = read.content.courses.find(({ slug }) => slug === 'ai-security-foundations')?.curriculum[0]?.module ?? '';
  await mkdir(path.dirname(file), { recursive: true });
});
afterAll(async () => {
  await database.drop();
  data.remove();
});

const text = (exercise: string, of = title) =>
  `---\ntitle: ${of}\n---\n\n## Reading\n\nAn alert is a claim. A log line is evidence for it or against it.\n\n## Exercise\n\n${exercise}\n`;

async function contentThere(): Promise<Content> {
  const read = await readContent(folder);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.content;
}
const put = async (at: string) => {
  const now = new Date(at);
  const result = await importContent(database.db, await contentThere(), { today: '2025-09-08', now }, () => true);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.plan;
};
const stored = () =>
  database.db
    .selectFrom('course_modules')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['courses.slug', 'number', 'course_modules.title', 'course_modules.retired_at'])
    // The real content has modules of another course.
    .where('courses.slug', 'in', ['ai-security-foundations', 'ai-first-steps'])
    .execute();

test('P60: the check names faults of a module by file and line', async () => {
  const faults = async (content: string, at = file) => {
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, content);
    const read = await readContent(folder);
    await rm(at);
    return read.ok ? [] : read.faults.map(({ file: of, line, message }) => `${of}:${line} ${message}`);
  };
  expect(await faults(text('Name three.'))).toEqual([]);
  expect(await faults(text('Name three.', 'Another title'))).toEqual([
    `modules/ai-security-foundations/01.md:2 is not the curriculum's: "${title}"`,
  ]);
  expect(await faults(`---\ntitle: ${title}\n---\n\nText.\n`)).toEqual([
    'modules/ai-security-foundations/01.md:4 must have the headings "## Reading" and "## Exercise", each once, in this order, with a text below each',
  ]);
  expect(await faults('Text.')).toEqual([
    'modules/ai-security-foundations/01.md:1 does not begin with "---", "title: …" and "---"',
  ]);
  expect(await faults(text('Name three.'), path.join(folder, 'modules/ai-security-foundations/99.md'))).toEqual([
    'modules/ai-security-foundations/99.md:1 is of no module: ai-security-foundations has none of that number',
  ]);
  expect(await faults(text('Name three.'), path.join(folder, 'modules/first.md'))).toEqual([
    'modules/first.md:1 is not named as modules/<course>/<NN>.md',
  ]);
});

test('P70: modules are imported as records with revisions, exported to the same file, and retired with it', async () => {
  const before = await hashOfContent(folder);
  await writeFile(file, text('Name three.'));
  expect(await hashOfContent(folder)).not.toBe(before);
  expect((await put('2025-09-08T00:00:00Z')).added).toEqual([{ kind: 'module', key: 'ai-security-foundations/01' }]);
  await writeFile(file, text('Name four.'));
  expect((await put('2025-09-08T01:00:00Z')).changed).toEqual([
    { kind: 'module', key: 'ai-security-foundations/01', fields: ['body'] },
  ]);
  const record = await findRecord(database.db, 'module', 'ai-security-foundations/01');
  if (!record) throw new Error('no record');
  expect(await listRevisions(database.db, record)).toHaveLength(2);

  const content = await exportContent(database.db);
  if (!content) throw new Error('nothing to export');
  const elsewhere = path.join(data.folder, 'exported');
  await writeContent(elsewhere, content);
  expect(await readFile(path.join(elsewhere, 'modules/ai-security-foundations/01.md'), 'utf8')).toBe(
    text('Name four.'),
  );

  await rm(file);
  expect((await put('2025-09-08T02:00:00Z')).retired).toEqual([{ kind: 'module', key: 'ai-security-foundations/01' }]);
  expect(await stored()).toEqual([
    { slug: 'ai-security-foundations', number: 1, title, retired_at: new Date('2025-09-08T02:00:00Z') },
  ]);
  await writeContent(elsewhere, await exportContent(database.db).then((found) => found ?? content));
  await expect(readFile(path.join(elsewhere, 'modules/ai-security-foundations/01.md'), 'utf8')).rejects.toThrow(
    'ENOENT',
  );
});

test('P3: a renamed course keeps its modules', async () => {
  await writeFile(file, text('Name three.'));
  await put('2025-09-09T00:00:00Z');
  const courseFile = path.join(folder, 'courses/ai-security-foundations.yaml');
  await renameIn(folder, 'ai-security-foundations', 'ai-first-steps');
  await expect(readFile(courseFile, 'utf8')).rejects.toThrow('ENOENT');
  await put('2025-09-09T01:00:00Z');
  expect(await stored()).toEqual([{ slug: 'ai-first-steps', number: 1, title, retired_at: null }]);
});
