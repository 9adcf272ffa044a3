import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDetails } from '#app/features/catalogue/queries.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { openingDay } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillDatabase(database.db, sampleContent([sampleCourse('a')]), openingDay);
});
afterAll(() => database.drop());

async function detailsOf(slug: string) {
  const { id } = await database.db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const { revision: _, ...details } = (await readDetails(database.db, [id])).get(id) ?? { revision: 0 };
  return details;
}

test('a long part that only the schema knows is kept without a column, a reader or a writer of its own', async () => {
  const { db } = database;
  const extra = sql<string>`details || '{"practice":"Two labs."}'`;
  await db.updateTable('courses').set({ details: extra }).where('slug', '=', 'a').execute();
  expect(await detailsOf('a')).toMatchObject({ practice: 'Two labs.' });
});
