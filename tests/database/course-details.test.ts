import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDetails } from '#app/features/catalogue/queries.server.ts';
import { writeCourses } from '#app/features/content/write-courses.server.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template', 'owner');
  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 59);
  await sql`
    insert into categories (slug, name, icon, position) values ('soc', 'SOC', 'eye', 0);
    insert into tracks (slug, name, icon, description, position) values ('blue', 'Blue', 'eye', 'Defend.', 0);
    insert into instructors values ('mara', 'Mara', 'SOC', '10 years', 'Mara teaches.', 0);
    insert into courses (slug, title, category_slug, level, price_cents, hours, learners, rating, published_on,
      instructor_slug, description, overview, objectives, curriculum, prerequisites, credential)
    values ('before', 'Before', 'soc', 'Beginner', 150000, 30, 1, 4.7, '2025-01-06', 'mara', 'What one can do.',
      'Over it all.', '{One,Two}', '[{"module":"First","topics":["A"]}]', '{None.}', 'A certificate.');
    alter table courses disable trigger time_of_change;
    update courses set changed_at = '2025-09-01T00:00:00Z';
    alter table courses enable trigger time_of_change;`.execute(db);
  await migrateBetween(db, 60, 9999);
});
afterAll(() => database.drop());

const ofBefore = {
  overview: 'Over it all.',
  objectives: ['One', 'Two'],
  curriculum: [{ module: 'First', topics: ['A'] }],
  prerequisites: ['None.'],
  credential: 'A certificate.',
  liveHours: [],
};

async function detailsOf(slug: string) {
  const { id } = await database.db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const { revision: _, ...details } = (await readDetails(database.db, [id])).get(id) ?? { revision: 0 };
  return details;
}

test('P93: a course from before keeps its long parts and the time of its last change, and so does what the release before edits', async () => {
  const { db } = database;
  expect(await detailsOf('before')).toEqual(ofBefore);
  const { changed_at } = await db.selectFrom('courses').select('changed_at').executeTakeFirstOrThrow();
  expect(changed_at).toEqual(new Date('2025-09-01T00:00:00Z'));
  await sql`update courses set objectives = '{Three}', credential = 'Another.' where slug = 'before'`.execute(db);
  expect(await detailsOf('before')).toEqual({ ...ofBefore, objectives: ['Three'], credential: 'Another.' });
});

test('P93: the release before reads the long parts that this one writes, and the modules of guided study are among them', async () => {
  const { db } = database;
  const written = sampleCourse('after', { tracks: ['blue'] });
  await db.transaction().execute((trx) => writeCourses(trx, [written]));
  const { rows } = await sql<object>`select overview, objectives, curriculum, prerequisites, credential,
    modules_of_course(id) as modules from courses where slug = 'after'`.execute(db);
  const { overview, objectives, curriculum, prerequisites, credential } = written;
  expect(rows).toEqual([{ overview, objectives, curriculum, prerequisites, credential, modules: curriculum }]);
});

test('a long part that only the schema knows is kept without a column, a reader or a writer of its own', async () => {
  const { db } = database;
  const extra = sql<string>`details || '{"practice":"Two labs."}'`;
  await db.updateTable('courses').set({ details: extra }).where('slug', '=', 'after').execute();
  expect(await detailsOf('after')).toMatchObject({ practice: 'Two labs.' });
  await sql`update courses set overview = 'Edited.' where slug = 'after'`.execute(db);
  expect(await detailsOf('after')).toMatchObject({ overview: 'Edited.', practice: 'Two labs.' });
});
