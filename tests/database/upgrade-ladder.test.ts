import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const migrations = path.join(projectRoot, 'db/migrations');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('template', 'owner');
});
afterEach(() => database.drop());

async function migrateBetween(first: number, last: number) {
  for (const file of (await readdir(migrations)).sort()) {
    const number = Number(file.slice(0, 4));
    if (number < first || number > last) continue;
    await sql.raw(await readFile(path.join(migrations, file), 'utf8')).execute(database.db);
  }
}

test('P40: enrolments from before have the ladder they were made under, and no course of a combo that is kept costs more', async () => {
  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(1, 27);
  await sql
    .raw(
      `insert into enrolments (reference, title, buyer_name, email, mailbox, payer, terms_version, placed_at, changed_at)
         values ('BB-222222', 'Before', 'Ada', 'ada@example.com', 'ada@example.com', 'person', '2025-09-08', now(), now());`,
    )
    .execute(db);
  await migrateBetween(28, 9999);
  expect(await db.selectFrom('enrolments').select(['title', 'ladder']).execute()).toEqual([
    { title: 'Before', ladder: { fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: false } },
  ]);
  const without = sql`insert into enrolments
    (reference, title, buyer_name, email, mailbox, payer, terms_version, placed_at, changed_at)
    values ('BB-333333', 'After', 'Ada', 'ada@example.com', 'ada@example.com', 'person', '2025-09-08', now(), now())`;
  await expect(without.execute(db)).rejects.toThrow('ladder');
});
