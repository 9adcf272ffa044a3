import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let data: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  database = await createTestDatabase('template', 'owner');
  db = database.db;
  data = temporaryFolder();
  await sql`drop schema public cascade; create schema public`.execute(db);
  release(
    '0001_notes',
    'create table notes (id integer, body text); insert into notes values (1, $$one$$), (1, $$two$$);',
  );
  await migrate(db, data.folder);
});
afterEach(async () => {
  data.remove();
  await database.drop();
});

/** A migration that comes with the next release. */
const release = (name: string, text: string) => writeFileSync(path.join(data.folder, `${name}.sql`), text);
const expand = '-- phase: expand\n-- Of notes.\n';
const notes = async () => (await sql`select * from notes order by body`.execute(db)).rows;

test('P93: a migration that waits for a table lets the running program read it, and is tried again', async () => {
  release('0002_kinds', `${expand}create table kinds (id integer); alter table notes add column kind integer;`);
  const [started, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const others = createDb(database.connection, () => undefined);
  const report = others.transaction().execute(async (trx) => {
    await sql`select from notes`.execute(trx);
    started.resolve();
    await reading.promise;
  });
  await started.promise;
  const migrated = migrate(db, data.folder);
  const waits = sql<{ count: number }>`select count(*)::integer as count from pg_locks
    where not granted and relation = 'notes'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await waits.execute(others)).rows[0]?.count === 1);
  // It waits for the report, and this for it: until it gives up.
  expect(await notes()).toHaveLength(2);
  expect((await sql`select to_regclass('kinds') as made`.execute(db)).rows).toEqual([{ made: null }]);
  reading.resolve();
  await report;
  expect(await migrated).toEqual(['0002_kinds']);
  expect(await notes()).toContainEqual({ id: 1, body: 'one', kind: null });
  await others.destroy();
});

test('P93: each file is applied alone; one that fails is named and rolled back, those before it stay', async () => {
  release('0002_kinds', `${expand}create table kinds (id integer);`);
  release('0003_broken', `${expand}create table broken (id integer); select 1 / 0;`);
  await expect(migrate(db, data.folder)).rejects.toThrow('Migration 0003_broken failed');
  const { rows } = await sql`select to_regclass('kinds') is not null as kinds, to_regclass('broken') as broken`.execute(
    db,
  );
  expect(rows).toEqual([{ kinds: true, broken: null }]);
  release('0003_broken', `${expand}create table broken (id integer);`);
  expect(await migrate(db, data.folder)).toEqual(['0003_broken']);
});

test('P93: an index is built outside a transaction by one of several programs, and what an interrupted build left is dropped', async () => {
  const build = sql`create unique index concurrently notes_id on notes (id)`;
  await expect(build.execute(db)).rejects.toThrow('could not create unique index');
  await sql`update notes set id = 2 where body = 'two'`.execute(db);
  release(
    '0002_index',
    `${expand}-- transaction: none\ncreate unique index concurrently if not exists notes_id on notes (id);`,
  );
  const programs = [1, 2, 3].map(() => createDb(database.connection, () => undefined));
  const applied = await Promise.all(programs.map((program) => migrate(program, data.folder)));
  expect(applied.flat()).toEqual(['0002_index']);
  const { rows } = await sql`select indisvalid as valid from pg_index where indexrelid = 'notes_id'::regclass`.execute(
    db,
  );
  expect(rows).toEqual([{ valid: true }]);
  await Promise.all(programs.map((program) => program.destroy()));
});

test('P93: the release before starts on tables that a later one has migrated', async () => {
  release('0002_kinds', `${expand}create table kinds (id integer);`);
  await migrate(db, data.folder);
  const before = temporaryFolder();
  writeFileSync(path.join(before.folder, '0001_notes.sql'), 'create table notes (id integer);');
  expect(await migrate(db, before.folder)).toEqual([]);
  before.remove();
});
