import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { marketingRecords } from '#app/outbox/erase-mail.server.ts';
import { countWithin, forgetCounts, hasRoom, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const start = new Date('2025-09-08T00:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

test('P24: of many requests at once the allowed number counts, for every spelling of a mailbox; the day is the last 24 hours', async () => {
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
