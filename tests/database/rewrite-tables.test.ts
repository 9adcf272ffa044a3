import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import {
  nightHold,
  noteErased,
  readErased,
  rewriteErased,
  rewriteErasedAtNight,
  rewriteErasedIfAlone,
  wholeHold,
} from '#app/db/rewrite-tables.server.ts';
import { until } from '#scripts/support/until.ts';
import { jobsOf } from '#server/jobs.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Three in the morning, and one in the afternoon, in Brisbane. */
const [night, day] = [new Date('2025-09-08T17:00:00Z'), new Date('2025-09-08T03:00:00Z')];
/** The file of a table; another one once it was written anew. */
const fileOf = async (table: string) => {
  const { rows } = await sql<{ file: string }>`select pg_relation_filepath(${table}::regclass) as file`.execute(
    database.db,
  );
  return rows[0]?.file;
};
/** Tests of other files have their transactions on the same server, and what they could read is waited for. */
const patienceMs = 60_000;
const waiting = async () => (await readErased(database.db)).map(({ name }) => name);
const erase = (...tables: string[]) => database.db.transaction().execute((trx) => noteErased(trx, tables));
const write = sql`insert into mails (kind, recipient, subject, body_text, body_html, headers)
  values ('test', 'ada@example.com', '', '', '', '{}')`;

test('tables with erased rows are rewritten at night, and only those', async () => {
  await erase('bookings', 'mails');
  await erase('mails');
  const before = [await fileOf('mails'), await fileOf('enquiries')];
  expect(await rewriteErasedAtNight(database.db, day)).toEqual({ written: 0, overdue: [] });
  expect(await waiting()).toEqual(['bookings', 'mails', 'pg_statistic']);
  // A slow machine may need several tries, as the program does.
  await until(async () => {
    await rewriteErasedAtNight(database.db, night);
    return (await waiting()).length === 0;
  });
  expect(await fileOf('mails')).not.toBe(before[0]);
  expect(await fileOf('enquiries')).toBe(before[1]);
});

torture('at night nobody who writes mail waits for more than 200 ms; a table that takes longer is left', async () => {
  const { db, connection } = database;
  expect(nightHold.lockMs + nightHold.statementMs).toBeLessThanOrEqual(200);
  // Writing the table anew takes three seconds at least: it has an index that is slow to build.
  await sql`create function slow(text) returns text immutable language plpgsql as
    $$ begin perform pg_sleep(0.05); return $1; end $$`.execute(database.owner);
  await sql`insert into mails (kind, recipient, subject, body_text, body_html, headers)
    select 'test', n || '@example.com', '', '', '', '{}' from generate_series(1, 60) n`.execute(db);
  await sql`create index on mails (slow(recipient))`.execute(database.owner);
  await erase('mails');
  const file = await fileOf('mails');
  // PostgreSQL itself refuses what had to wait for the table for longer; a busy machine may take some time to end what
  // has reached its limit.
  const visitor = createDb(connection, () => undefined, { lockMs: 1_500, statementMs: 8_000, answerMs: 10_000 }, 1);
  const visitsDuring = async <T>(work: Promise<T>) => {
    let over = false;
    const ended = work.finally(() => {
      over = true;
    });
    for (let writes = 0; ; writes += 1) {
      if (over && writes > 0) return ended;
      await write.execute(visitor);
    }
  };
  expect(await visitsDuring(rewriteErasedAtNight(db, night))).toEqual({ written: 0, overdue: [] });
  expect(await waiting()).toEqual(['mails', 'pg_statistic']);
  expect(await fileOf('mails')).toBe(file);
  // The connection went back to the pool without the limits of the night.
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
  expect(rows).toEqual([{ statement_timeout: '0' }]);
  // By contrast, without limits:
  const whole = rewriteErased(db, wholeHold, patienceMs);
  await expect(visitsDuring(whole)).rejects.toThrow('lock timeout');
  expect(await whole).toBe(2);
  expect(await waiting()).toEqual([]);
  await visitor.destroy();
});

test('a table that somebody uses is left, and so is everything while an older statement could still read it', async () => {
  const { db } = database;
  await erase('bookings', 'mails');
  const open = await db.startTransaction().execute();
  await sql`lock table mails in row exclusive mode`.execute(open);
  await rewriteErasedAtNight(db, night);
  expect(await waiting()).toContain('mails');
  expect(await waiting()).toContain('pg_statistic');
  // After a month the program tells the operator.
  const later = await rewriteErasedAtNight(db, new Date('2100-01-01T17:00:00Z'));
  expect(later.overdue).toEqual(expect.arrayContaining(['mails', 'pg_statistic']));
  await open.rollback().execute();
  await rewriteErased(db, wholeHold, patienceMs);
  expect(await waiting()).toEqual([]);
});

test('with TODAY two months ahead no table is overdue: the job measures by the true time, as the database does', async () => {
  const { db } = database;
  await erase('mails');
  const open = await db.startTransaction().execute();
  await sql`lock table mails in row exclusive mode`.execute(open);
  const trueNight = new Date();
  trueNight.setUTCHours(17, 0, 0, 0);
  const aheadMs = 60 * 24 * 60 * 60 * 1000;
  const clock = { now: () => new Date(trueNight.getTime() + aheadMs), aheadMs };
  const warnings: unknown[] = [];
  const log = { info: () => {}, warn: (facts: unknown) => warnings.push(facts) };
  type Needs = Parameters<typeof jobsOf>;
  const { scheduled } = jobsOf(
    { db, clock, withoutLimits: (work) => work(db) } as Needs[0],
    log as unknown as Needs[1],
  );
  await scheduled.find(({ name }) => name === 'write erased tables anew')?.run();
  expect(await waiting()).toContain('mails');
  expect(warnings).toEqual([]);
  await open.rollback().execute();
});

test('rows that are erased while their table is rewritten stay recorded', async () => {
  const { db } = database;
  await erase('mails');
  const open = await db.startTransaction().execute();
  await noteErased(open, ['mails']);
  const rewriting = rewriteErased(db, wholeHold, patienceMs);
  // It has read what is noted, and waits for the transaction that is open.
  await until(async () => {
    const asked = sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%age(backend_xmin)%'`;
    return (await asked.execute(db)).rows.length > 0;
  });
  await open.commit().execute();
  await rewriting;
  expect(await waiting()).toContain('mails');
  await rewriteErased(db, wholeHold, patienceMs);
  expect(await waiting()).toEqual([]);
});

test('by day a table is rewritten only while no other program is connected', async () => {
  await erase('mails');
  const other = new pg.Client({ ...database.connection, application_name: 'another program' });
  await other.connect();
  expect(await rewriteErasedIfAlone(database.db)).toBe(0);
  await other.end();
  const connected = async () =>
    (await sql`select from pg_stat_activity where application_name = 'another program'`.execute(database.db)).rows;
  await until(async () => (await connected()).length === 0);
  expect(await rewriteErasedIfAlone(database.db, patienceMs)).toBe(2);
  expect(await waiting()).toEqual([]);
});
