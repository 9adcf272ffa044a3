import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import { beginsAll, wordsIn } from '#app/lib/beginnings.ts';
import { bossOn, migrateQueues } from '#app/outbox/queue.server.ts';
import { runCodegen } from '#scripts/support/codegen.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template', 'owner');
});
afterAll(() => database.drop());

test('app/db/schema.ts matches the migrated database (npm run db:types)', async () => {
  expect(await runCodegen(database.connection, { verify: true })).toMatchObject({ same: true });
});

test('P82: names and words are found as typed, in every locale of the database', async () => {
  await sql`create database words_in_c template template0 locale_provider libc locale 'C'`.execute(database.db);
  const other = createDb({ ...database.connection, database: 'words_in_c' }, () => undefined);
  await migrate(other);
  const typed = [
    ...['Shea', "O'Shea", 'O’Shea', 'oshea'].map((search) => ['Tara O’Shea', search]),
    ...['ao', 'teao', 'te-ao'].map((search) => ['Te–Ao', search]),
    ...['Kahalei', "kahale'i'iwi", 'iwi'].map((search) => ['Kahaleʻiʻiwi', search]),
    ...['nunez', 'NÚÑEZ'].map((search) => ['Zoë D’Ambrosio‐Núñez', search]),
    ['The “Zebrafinch—Lyrebird” rate…', 'zebrafinch lyrebird rate'],
    ['Ｆｕｌｌ（ｗｉｄｅ）', 'full wide'],
    ['ИВАН', 'иван'],
  ];
  for (const db of [database.db, other]) {
    for (const [text, search] of typed) {
      const { rows } = await sql`select words_of(${text}) @@ all_typed(${search}) as found`.execute(db);
      expect([text, search, rows]).toEqual([text, search, [{ found: true }]]);
      expect([search, beginsAll(text ?? '', wordsIn(search ?? ''))]).toEqual([search, true]);
    }
  }
  await other.destroy();
  await sql`drop database words_in_c`.execute(database.db);
});

test('two programs migrating at once apply each migration once', async () => {
  await database.db.schema.dropSchema('public').cascade().execute();
  await database.db.schema.createSchema('public').execute();
  const programs = [1, 2, 3].map(() => createDb(database.connection, () => undefined));
  await database.db.schema.dropSchema('pgboss').cascade().execute();
  const applied = await Promise.all(
    programs.map(async (db) => {
      const names = await migrate(db);
      await migrateQueues(db);
      return names;
    }),
  );
  for (const db of programs) expect(await bossOn(db).getQueues()).toHaveLength(3);
  await Promise.all(programs.map((db) => db.destroy()));
  const names = applied.flat();
  expect(names).toContain('01-people');
  expect(new Set(names).size).toBe(names.length);
});

test('a transaction of the queue that fails leaves its connection usable', async () => {
  const db = createDb(database.connection, () => undefined);
  const fail = bossOn(db).getDb().executeSql('begin; select 1 / 0; commit');
  await expect(fail).rejects.toThrow('division by zero');
  expect(await bossOn(db).getQueues()).toHaveLength(3);
  await db.destroy();
});
