import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { watchingStores } from '#app/db/may-be-stored.server.ts';
import { cuttingProxy } from '#tests/support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
const opened: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  await sql`create table jottings (text text primary key, twin text unique deferrable initially deferred)`.execute(
    database.owner,
  );
  await sql`grant all on jottings to public`.execute(database.owner);
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  await database.drop();
});

async function cutAt(at: RegExp, when: 'before' | 'after'): Promise<Db> {
  const proxy = await cuttingProxy(database.connection, at, when);
  const db = createDb({ ...database.connection, host: proxy.host }, () => undefined);
  opened.push(() => db.destroy(), proxy.close);
  return db;
}
const jot = (db: Db, text = 'a', twin = text) => sql`insert into jottings values (${text}, ${twin})`.execute(db);

/** Whether the work may have stored something, and whether it failed. */
const after = (work: () => Promise<unknown>): Promise<[mayBeStored: boolean, failed: boolean]> =>
  watchingStores(async (mayBeStored) => {
    const failed = await work().then(
      () => false,
      () => true,
    );
    return [mayBeStored(), failed];
  });

test.each([
  ['the beginning', /begin/, 'before', false],
  ['a statement of the transaction', /insert into jottings/, 'after', false],
  ['the commit, before it arrives', /commit/, 'before', true],
  ['the commit, before its answer comes back', /commit/, 'after', true],
] as const)('a transaction that is cut at %s', async (_, at, when, mayBe) => {
  const db = await cutAt(at, when);
  expect(await after(() => db.transaction().execute((trx) => jot(trx)))).toEqual([mayBe, true]);
});

test('a write outside of a transaction may be stored when its answer is lost; a read is not', async () => {
  const db = await cutAt(/insert into jottings|from jottings/, 'after');
  expect(await after(() => jot(db))).toEqual([true, true]);
  const reading = await cutAt(/from jottings/, 'after');
  expect(await after(() => sql`select text from jottings`.execute(reading))).toEqual([false, true]);
});

test('a write that the database refuses is not stored, also at the commit', async () => {
  const { db } = database;
  await jot(db, 'a', 'twin');
  expect(await after(() => jot(db, 'a'))).toEqual([false, true]);
  expect(await after(() => db.transaction().execute((trx) => jot(trx, 'b', 'twin')))).toEqual([false, true]);
  const undone = () =>
    db.transaction().execute(async (trx) => {
      await jot(trx, 'c');
      throw new Error('undone');
    });
  expect(await after(undone)).toEqual([false, true]);
});

test('a write before the failure is reported to every enclosing form, not to others', async () => {
  const { db } = database;
  const gone = createDb({ ...database.connection, host: '/nowhere' }, () => undefined);
  opened.push(() => gone.destroy());
  const [others, both] = await Promise.all([
    after(() => sql`select 1`.execute(gone)),
    after(async () => {
      expect(await after(() => jot(db))).toEqual([true, false]);
      await jot(gone, 'b');
    }),
  ]);
  expect([others, both]).toEqual([
    [false, true],
    [true, true],
  ]);
});
