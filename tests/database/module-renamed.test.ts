import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { publishEdit } from '#app/features/content/edit.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { readModuleText } from '#app/features/study/module-text.server.ts';
import { editOf, publishChange, standingIn } from '#tests/support/content-edits.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner } from '#tests/support/staff.ts';

let database: SharedDatabase;
let editor: { person: number };
let courseId: number;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());

const at = momentAt('2025-09-08T10:00');
const course = sampleCourse('a');
const titles = course.curriculum.map(({ module }) => module);
const body = (text: string) => `## Reading\n\n${text}\n\n## Exercise\n\nName three.`;
const moduleOf = (number: number, title: string, text = `Text of ${title}.`) => ({
  course: 'a',
  number,
  title,
  body: body(text),
});
beforeEach(async () => {
  await database.empty();
  const person = { name: 'Ada Byron', email: 'ada@example.com' };
  const { id } = await database.db
    .insertInto('people')
    .values({ ...person, created_at: at.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  editor = { person: id };
  const modules = titles.map((title, index) => moduleOf(index + 1, title));
  await fillDatabase(database.db, { ...sampleContent([course]), modules }, at);
  courseId = (await database.db.selectFrom('courses').select('id').executeTakeFirstOrThrow()).id;
});

/** What an attendee reads whose place was sold with these titles. */
const readingOf = (number: number, sold = titles) => readModuleText(database.db, { courseId, number, titles: sold });
const publish = async (kind: string, key: string, typed: Record<string, unknown>) => {
  const edit = editOf(await standingIn(database.db, kind, key), typed);
  const done = await database.db
    .transaction()
    .execute((trx) => publishEdit(trx, edit, { editor, at, can: anOwner.can }));
  if (!done.ok) throw new Error(JSON.stringify(done));
};
/** Publishes another text under a number, or none, an hour later each time. */
async function putModule(number: number, title: string | null): Promise<void> {
  hours += 1;
  const to = title === null ? null : moduleOf(number, title);
  const later = { ...at, now: new Date(at.now.getTime() + hours * 3_600_000) };
  const done = await publishChange(database.db, { kind: 'module', key: `a/0${number}`, to }, later);
  expect(done).toMatchObject({ ok: true });
}
let hours = 0;
const renamed = (index: number, module: string) =>
  course.curriculum.map((one, its) => (its === index ? { ...one, module } : one));

test('P60: a title that is corrected in the course takes its module along, for places sold before and after', async () => {
  await publish('course', 'a', { curriculum: renamed(1, 'Module one') });
  const stored = await exportContent(database.db);
  expect(stored?.modules.map(({ title }) => title)).toEqual(['Module 0', 'Module one', 'Module 2', 'Module 3']);
  expect(await readingOf(2)).toBe(body('Text of Module 1.'));
  expect(await readingOf(2, ['Module 0', 'Module one', 'Module 2', 'Module 3'])).toBe(body('Text of Module 1.'));
});

test('P60: a correction of a module after its new title is there for earlier buyers', async () => {
  await publish('course', 'a', { curriculum: renamed(1, 'Module one') });
  await publish('module', 'a/02', { body: body('Corrected.') });
  expect(await readingOf(2)).toBe(body('Corrected.'));
});

test('P60: a title that is corrected in the module alone is found by places sold before and after', async () => {
  await publish('module', 'a/02', { title: 'Module one' });
  expect(await readingOf(2)).toBe(body('Text of Module 1.'));
});

test('P60: a module that another one replaced, or that was retired, is read as it was last', async () => {
  await putModule(2, 'Quite another');
  await publish('course', 'a', { curriculum: renamed(1, 'Quite another') });
  expect(await readingOf(2)).toBe(body('Text of Module 1.'));
  await putModule(2, null);
  expect(await readingOf(2)).toBe(body('Text of Module 1.'));
  expect(await readingOf(2, ['Module 0', 'Quite another'])).toBe(body('Text of Quite another.'));
});

test('P60: a module that moved to another number is found by its title', async () => {
  const [first, second, ...others] = course.curriculum;
  if (!first || !second) throw new Error('the course has no modules');
  await putModule(1, 'Module 1');
  await putModule(2, 'Module 0');
  await publish('course', 'a', { curriculum: [second, first, ...others] });
  expect([await readingOf(1), await readingOf(2)]).toEqual([body('Text of Module 0.'), body('Text of Module 1.')]);
});

test('P60: a module without a text has none, and does not take that of another course', async () => {
  for (const number of [2, 3, 4]) await putModule(number, null);
  expect(await readingOf(1, ['Something'])).toBe(body('Text of Module 0.'));
  expect(await readingOf(2, ['Module 0', 'Never written'])).toBeNull();
});
