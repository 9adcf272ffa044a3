import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntries, writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { grantToProgram, ownsHistory } from '#app/db/roles.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const at = new Date('2025-09-08T09:00:00+10:00');
const entry = { at, personId: null, action: 'resize-course-date', subject: 'course-date:a' };
// insufficient_privilege
const refused = '42501';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const changes = changesBetween({ capacity: 12 }, { capacity: 14 });
  await writeAuditEntry(database.db, { ...entry, changes });
});
afterAll(() => database.drop());

const written = async () => ({
  entries: await database.db.selectFrom('audit_entries').select('subject').orderBy('id').execute(),
  changes: await database.db.selectFrom('audit_changes').select(['field', 'before', 'after']).execute(),
});

test('P69: an entry and its changes belong to the transaction of the act', async () => {
  const before = await written();
  expect(before).toEqual({
    entries: [{ subject: 'course-date:a' }],
    changes: [{ field: 'capacity', before: 12, after: 14 }],
  });
  const act = database.db.transaction().execute(async (trx) => {
    await writeAuditEntry(trx, { ...entry, changes: changesBetween({}, { day: '2025-09-15' }) });
    throw new Error('it cannot be done');
  });
  await expect(act).rejects.toThrow('it cannot be done');
  expect(await written()).toEqual(before);
});

test('changes of many acts stay with their own', async () => {
  const acts = [
    { ...entry, subject: 'payment:1', changes: changesBetween({}, { cents: 100, method: 'bank' }) },
    { ...entry, subject: 'payment:2' },
    { ...entry, subject: 'payment:3', changes: changesBetween({ enrolmentId: 7 }, {}) },
  ];
  await database.db.transaction().execute(async (trx) => {
    await writeAuditEntries(trx, acts);
    const rows = await trx
      .selectFrom('audit_changes')
      .innerJoin('audit_entries', 'audit_entries.id', 'entry_id')
      .select(['subject', 'field', 'before', 'after'])
      .where('subject', 'like', 'payment:%')
      .orderBy('entry_id')
      .orderBy('field')
      .execute();
    expect(rows).toEqual([
      { subject: 'payment:1', field: 'cents', before: null, after: 100 },
      { subject: 'payment:1', field: 'method', before: null, after: 'bank' },
      { subject: 'payment:3', field: 'enrolmentId', before: 7, after: null },
    ]);
  });
});

const attempts = ['audit_entries', 'audit_changes'].flatMap((table) => [
  `update ${table} set ${table === 'audit_entries' ? "action = 'other'" : "field = 'other'"}`,
  `delete from ${table}`,
  `truncate ${table} cascade`,
  `select from ${table} for update`,
  `alter table ${table} disable trigger only_added_to`,
  `drop trigger only_added_to on ${table}`,
  `create trigger mine before insert on ${table} for each row execute function refuse_change()`,
  `create rule mine as on insert to ${table} do instead nothing`,
  `alter table ${table} add column mine text`,
  `drop table ${table} cascade`,
  `grant delete on ${table} to current_user; delete from ${table}`,
  `alter table ${table} owner to current_user`,
]);

test.each([
  ...attempts,
  'set role bowerbird',
  'set session authorization bowerbird',
  "set session_replication_role = 'replica'",
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'drop schema public cascade',
  'alter role current_user superuser',
  "copy audit_entries to program 'cat'",
])('P69: the program may not: %s', async (text) => {
  const before = await written();
  await expect(run(database.db, sql.raw(text))).rejects.toMatchObject({ code: refused });
  expect(await written()).toEqual(before);
});

test('P69: behind the role a trigger refuses the owner too', async () => {
  for (const text of [
    'update audit_changes set field = field',
    'delete from audit_entries',
    'truncate audit_entries cascade',
  ]) {
    await expect(run(database.owner, sql.raw(text))).rejects.toThrow('is only added to');
  }
  expect([await ownsHistory(database.db), await ownsHistory(database.owner)]).toEqual([false, true]);
});

test('tables of later migrations are reached without a grant, those of the history for adding and reading only', async () => {
  const { db, owner, connection } = database;
  await sql`create table later (id bigint generated always as identity primary key, word text)`.execute(owner);
  await sql`create table audit_later (word text)`.execute(owner);
  await sql`insert into later (word) values ('a')`.execute(db);
  await sql`update later set word = 'b'`.execute(db);
  await sql`delete from later`.execute(db);
  await expect(sql`truncate later`.execute(db)).rejects.toMatchObject({ code: refused });
  await grantToProgram(owner, connection.user);
  await sql`insert into audit_later values ('a')`.execute(db);
  await expect(sql`delete from audit_later`.execute(db)).rejects.toMatchObject({ code: refused });
  expect((await sql`select word from audit_later`.execute(db)).rows).toEqual([{ word: 'a' }]);
});

test('rights that are as they should be are not written again, others are set right', async () => {
  const { db, owner, connection } = database;
  const versions = async () => (await sql`select oid, xmin from pg_class order by oid`.execute(owner)).rows;
  await grantToProgram(owner, connection.user);
  const before = await versions();
  await grantToProgram(owner, connection.user);
  expect(await versions()).toEqual(before);
  await sql`grant delete on audit_entries to ${sql.id(connection.user)}`.execute(owner);
  await sql`revoke select on people from ${sql.id(connection.user)}`.execute(owner);
  await grantToProgram(owner, connection.user);
  await expect(db.deleteFrom('audit_entries').execute()).rejects.toMatchObject({ code: refused });
  expect(await db.selectFrom('people').selectAll().execute()).toEqual([]);
});

/** In a transaction that is undone, should it succeed. */
async function run(db: TestDatabase['db'], statement: RawBuilder<unknown>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await statement.execute(trx);
    throw new Error('it was not refused');
  });
}
