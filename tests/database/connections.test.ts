import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db, type Limits, lossOf, servingLimits } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { until } from '#scripts/support/until.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let opened: Db[];
let losses: Error[];
beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(`${database.connection.host}/.s.PGSQL.5432`);
  opened = [];
  losses = [];
});
afterEach(async () => {
  await proxy.close();
  await Promise.all(opened.map((db) => db.destroy()));
  await database.drop();
});

function open(limits: Limits = servingLimits, most?: number): Db {
  const { user, password, database: name } = database.connection;
  const connectionString = `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${name}`;
  const db = createDb({ connectionString }, (error) => losses.push(error), limits, most);
  opened.push(db);
  return db;
}

function insert(db: Db) {
  const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '', consent: false };
  const enquiry = { ...person, kind: 'contact' as const, details: {}, message: 'Hello' };
  const at = new Date('2025-09-08T00:00:00Z');
  return recordEnquiry(db, enquiry, { idempotencyKey: crypto.randomUUID(), at });
}

torture('an insert that timed out behind a lock is not executed when the lock is released', async () => {
  const holder = new pg.Client(database.connection);
  await holder.connect();
  await holder.query('begin; lock table enquiries in share mode');
  await expect(insert(open())).rejects.toMatchObject({ code: '55P03' });
  await holder.query('commit');
  // Granted once nothing else waits for the table or works on it.
  await holder.query('begin; lock table enquiries in access exclusive mode');
  const { rows } = await holder.query('select count(*)::integer as count from enquiries');
  await holder.end();
  expect(rows).toEqual([{ count: 0 }]);
});

test('the server times out before the client, even for a statement that waits for no lock', async () => {
  expect(servingLimits.lockMs).toBeLessThan(servingLimits.statementMs);
  expect(servingLimits.statementMs).toBeLessThan(servingLimits.answerMs);
  const db = open({ lockMs: 100, statementMs: 200, answerMs: 5_000 });
  await expect(sql`select pg_sleep(4)`.execute(db)).rejects.toMatchObject({ code: '57014' });
  const { rows } = await sql`select current_setting('idle_in_transaction_session_timeout') as idle`.execute(db);
  expect(rows).toEqual([{ idle: '200ms' }]);
});

test('without limits, as for an import, there are no timeouts', async () => {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout')
  `.execute(database.db);
  expect(rows.map(({ setting }) => setting)).toEqual(['0', '0']);
});

test('without a connection in time: busy while others use all of them, away while none can be made', async () => {
  const brief = { lockMs: 1_000, statementMs: 4_000, answerMs: 5_000, connectMs: 1_000 };
  const db = open(brief, 2);
  await Promise.all([1, 2].map(() => sql`select pg_sleep(0.1)`.execute(db)));
  const using = [1, 2].map(() => sql`select pg_sleep(1.5)`.execute(db));
  const waiting = [1, 2, 3].map(() => sql`select 1`.execute(db).catch(databaseTrouble));
  expect(await Promise.all(waiting)).toEqual(['busy', 'busy', 'busy']);
  await Promise.all(using);
  await sql`select 1`.execute(db);

  const other = open(brief, 2);
  proxy.dropPackets();
  // The last of them wait behind two that are still being made.
  const made = await Promise.all([1, 2, 3, 4].map(() => sql`select 1`.execute(other).catch(databaseTrouble)));
  expect(made).toEqual(Array(4).fill('away'));
  proxy.passPackets();
});

torture('queries fail while the database hangs, and all later queries succeed', async () => {
  const db = open({ lockMs: 1_000, statementMs: 1_000, answerMs: 1_500 });
  // Opens all connections of the pool.
  await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.2)`.execute(db)));
  const manyMs = async () => {
    const sentAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => insert(db)));
    return performance.now() - sentAt;
  };
  const usualMs = await manyMs();
  proxy.dropPackets();
  // The last two wait for a connection, and then for one that is never made.
  const hung = await Promise.allSettled(Array.from({ length: 12 }, () => insert(db)));
  expect(hung.map(({ status }) => status)).toEqual(Array(12).fill('rejected'));
  proxy.passPackets();
  // None of them waits for a connection that hangs, which would take as long as the limit of an answer.
  expect(await manyMs()).toBeLessThan(Math.max(1_500, 5 * usualMs));
});

test('a transaction on a hanging connection fails after one timeout, not a second one for its rollback', async () => {
  const limits = { lockMs: 1_000, statementMs: 1_000, answerMs: 1_500 };
  const [db, other] = [open(limits), open(limits)];
  await Promise.all([1, 2].map(() => sql`select pg_sleep(0.1)`.execute(other)));
  const over: string[] = [];
  const asked = db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    proxy.dropPackets();
    void twoTimeouts().then(() => over.push('two timeouts'));
    await sql`select 2`.execute(trx);
  });
  await expect(asked).rejects.toThrow('Query read timeout');
  expect(over).toEqual([]);

  /** Two statements one after the other, each on a connection that hangs. */
  async function twoTimeouts() {
    for (const statement of [1, 2]) await sql`select ${statement}`.execute(other).catch(() => undefined);
  }
});

test('connections lost during a query are reported by code and reason, without an unhandled error', async () => {
  const db = open();
  const running = Promise.allSettled(Array.from({ length: 3 }, () => sql`select pg_sleep(20)`.execute(db)));
  await until(async () => {
    const active = await sql`select from pg_stat_activity where query like 'select pg_sleep%'`.execute(database.db);
    return active.rows.length === 3;
  });
  proxy.resetAll();
  expect((await running).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await until(() => losses.length === 3);
  for (const loss of losses) {
    expect(lossOf(loss)).toEqual({ code: expect.any(String), reason: 'Connection terminated unexpectedly' });
  }
});

test('a connection keeps a statement parsed, so that it is not parsed again; a table that gains a column breaks none', async () => {
  const db = open(servingLimits, 1);
  await database.owner.schema.createTable('own_notes').addColumn('id', 'integer').addColumn('text', 'text').execute();
  await sql`grant select on own_notes to public`.execute(database.owner);
  const named = () =>
    sql<{ id: number }>`select id, (select count(*) from own_notes) from own_notes where id = ${1}`.execute(db);
  const every = () => sql<{ id: number }>`select * from own_notes where id > ${0}`.execute(db);
  for (let round = 0; round < 7; round++) {
    await named();
    await every();
  }
  const { rows } =
    await sql`select statement, (generic_plans + custom_plans)::integer as runs from pg_prepared_statements
    where statement like '%from own_notes%'`.execute(db);
  expect(rows).toEqual([{ statement: expect.stringContaining('select id, (select count(*)'), runs: 7 }]);
  await database.owner.schema.alterTable('own_notes').addColumn('at', 'date').execute();
  await sql`insert into own_notes (id, text) values (1, 'one')`.execute(database.owner);
  expect((await named()).rows).toMatchObject([{ id: 1 }]);
  expect((await every()).rows).toEqual([{ id: 1, text: 'one', at: null }]);
});
