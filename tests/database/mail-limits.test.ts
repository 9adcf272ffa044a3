import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { marketingRecords } from '#app/outbox/erase-mail.server.ts';
import { countWithin, forgetCounts, hasRoom, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const start = new Date('2025-09-08T00:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

test('P24: of many at once as many are counted as may be, for every spelling of a mailbox; the day is the last 24 hours', async () => {
  const { db } = database;
  const limits = [
    { most: 3, hours: 1 },
    { most: 5, hours: 24 },
  ];
  const spellings = ['ada@example.com', 'ADA@example.com', 'ada+1@example.com', 'Ada+x@Example.com'];
  const count = (address: string, at: Date) =>
    db.transaction().execute(async (trx) => countWithin(trx, await mailboxKey(trx, 'code', address), limits, at));
  const counted = await Promise.all([...spellings, ...spellings].map((address) => count(address, start)));
  expect(counted.filter(Boolean)).toHaveLength(3);
  expect(await count('bob@example.com', start)).toBe(true);
  expect(await count('ada@example.com', after(0.99))).toBe(false);
  expect([await count('ada@example.com', after(1)), await count('ada@example.com', after(1.5))]).toEqual([true, true]);
  // Five in the day before.
  expect(await count('ada@example.com', after(3))).toBe(false);
  expect(await count('ada@example.com', after(24))).toBe(true);
  expect(JSON.stringify(await db.selectFrom('mail_counts').selectAll().execute())).not.toMatch(/@|example/i);
  const key = await mailboxKey(db, 'code', 'ada@example.com');
  const room = (more: number) =>
    db.transaction().execute((trx) => hasRoom(trx, new Map([[key, { limits, more }]]), after(24)));
  expect([await room(2), await room(3)]).toEqual([true, false]);
  // Of the first three, and Bob's, nothing is kept; what is left goes with its person.
  expect(await forgetCounts(db, after(24))).toBe(4);
  await db
    .transaction()
    .execute(async (trx) => marketingRecords.erase(trx, await findHeldPerson(trx, 'ada@example.com'), after(24)));
  expect(await db.selectFrom('mail_counts').selectAll().execute()).toEqual([]);
});

test('P30, P24: addresses for invoices from before keep their copies, entries are told already, no clock stands far ahead', async () => {
  const own = await createTestDatabase('template', 'owner');
  onTestFinished(() => own.drop());
  const { db } = own;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 38);
  await sql
    .raw(
      `insert into enrolments (reference, title, buyer_name, email, mailbox, payer, organisation, accounts_email, terms_version,
           ladder, placed_at, changed_at)
         select 'BB-22222' || n, 'Before', 'Ada', 'ada@example.com', 'ada@example.com', 'organisation', 'Engines',
           case n when '2' then 'Accounts@example.com' end, '2025-09-08',
           '{"fullDays":14,"halfDays":7,"fullHours":24,"repricesKept":true}', now(), now()
         from unnest(array['2', '3']) n;
       set session_replication_role = replica;
       insert into waiting_entries (reference, course_id, seats, name, email, mailbox, joined_at)
         values ('BB-444444', 1, 1, 'Mary', 'mary@example.com', 'mary@example.com', now());
       set session_replication_role = origin;
       insert into mail_acknowledgements values ('far', now() + interval '7 days'), ('past', now() - interval '1 minute');`,
    )
    .execute(db);
  await migrateBetween(db, 39, 9999);
  const ids = await db.selectFrom('enrolments').select('id').orderBy('reference').execute();
  const enrolments = await Promise.all(ids.map(({ id }) => readEnrolment(db, id)));
  expect(enrolments.map(({ accountsEmail, accountsConfirmed }) => [accountsEmail, accountsConfirmed])).toEqual([
    ['Accounts@example.com', true],
    [null, false],
  ]);
  expect(await db.selectFrom('waiting_entries').select('tell_from').execute()).toEqual([{ tell_from: null }]);
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from last_at - now()) / 60)::integer as minutes from mail_acknowledgements
    order by recipient`.execute(db);
  expect(rows).toEqual([{ minutes: 60 }, { minutes: -1 }]);
});
