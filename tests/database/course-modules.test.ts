import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportContent } from '#app/features/content/export.server.ts';
import { readContent, writeContent } from '#app/features/content/files.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { contentFolder, openingDay } from '#tests/support/academy.ts';
import { type Change, publishChange } from '#tests/support/content-edits.ts';
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

const bodyOf = (exercise: string) =>
  `## Reading\n\nAn alert is a claim. A log line is evidence for it or against it.\n\n## Exercise\n\n${exercise}`;
const text = (exercise: string, of = title) => `---\ntitle: ${of}\n---\n\n${bodyOf(exercise)}\n`;

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

test('P70: a module is a record with revisions, is exported to its file, and is retired', async () => {
  const { db } = database;
  const module = { course: 'ai-security-foundations', number: 1, title, body: bodyOf('Name three.') };
  const change = (to: Change['to']) =>
    publishChange(db, { kind: 'module', key: 'ai-security-foundations/01', to }, openingDay);
  expect(await change(module)).toEqual({ ok: true, number: 1 });
  expect(await change({ body: bodyOf('Name four.') })).toEqual({ ok: true, number: 2 });
  const exported = async () => {
    const content = await exportContent(db);
    if (content) await writeContent(folder, content);
    return readFile(file, 'utf8').catch(() => null);
  };
  expect(await exported()).toBe(text('Name four.'));
  expect(await change(null)).toEqual({ ok: true, number: 3 });
  expect(await exported()).toBeNull();
  const stored = db.selectFrom('course_modules').innerJoin('courses', 'courses.id', 'course_id');
  // The real content has modules of another course.
  const rows = stored.select(['number', 'course_modules.retired_at']).where('slug', '=', 'ai-security-foundations');
  expect(await rows.execute()).toEqual([{ number: 1, retired_at: openingDay.now }]);
});
