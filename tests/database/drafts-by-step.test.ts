import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDraft } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { draftRecords } from '#app/features/enrolments/enrolling/personal-records.server.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const at = new Date('2025-09-08T09:00:00+10:00');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('P32: an address typed in a step of which the program’s older parts know nothing is found and erased', async () => {
  const { db } = database;
  await sql`insert into enrolment_drafts (token_hash, typed, created_at, changed_at)
    values (${hashOfToken('later')}, '{"introducer":{"friend":" Joan@Example.com "}}', now(), now())`.execute(db);
  const joan = await findHeldPerson(db, 'joan@example.com');
  expect(await draftRecords.read(db, joan)).toHaveLength(1);
  expect(await db.transaction().execute((trx) => draftRecords.erase(trx, joan, at))).toEqual({ count: 1 });
});

test('P58: a person gets and erases their own part of a draft that somebody else fills in', async () => {
  const { db } = database;
  const payer = {
    ...{ buyerName: 'Priya', email: 'priya@four.example', phone: '0412', self: '' },
    ...{ 'name-1': 'Lou', 'email-1': 'Lou@four.example', 'needs-1': 'Captions' },
    ...{ 'name-2': 'Ana', 'email-2': 'ana@four.example', 'needs-2': 'Epilepsy' },
    ...{ 'guardianName-2': 'Eva', 'guardianEmail-2': 'eva@four.example' },
  };
  const stored = { token_hash: hashOfToken('priya'), created_at: at, changed_at: at };
  await db
    .insertInto('enrolment_drafts')
    .values({ ...stored, typed: JSON.stringify({ payer }) })
    .execute();
  const of = async (email: string) => draftRecords.read(db, await findHeldPerson(db, email));
  const erase = async (email: string) => {
    const person = await findHeldPerson(db, email);
    return db.transaction().execute((trx) => draftRecords.erase(trx, person, at));
  };
  expect(await of('lou@four.example')).toMatchObject([
    { typed: { payer: { 'name-1': 'Lou', 'email-1': 'Lou@four.example', 'needs-1': 'Captions' } } },
  ]);
  expect(JSON.stringify(await of('lou@four.example'))).not.toMatch(/Priya|0412|Ana|Epilepsy/);
  expect(JSON.stringify(await of('eva@four.example'))).not.toMatch(/Priya|Ana|Epilepsy/);
  // Nobody has confirmed the buyer's address, so what they typed of others may be somebody else's.
  expect(JSON.stringify(await of('priya@four.example'))).not.toMatch(/Lou|Epilepsy/);
  await db
    .updateTable('enrolment_drafts')
    .set({ confirmed_email: 'priya@four.example' })
    .where('typed', '@>', JSON.stringify({ payer: { buyerName: 'Priya' } }))
    .execute();
  expect(await of('priya@four.example')).toMatchObject([{ typed: { payer } }]);
  expect(await erase('lou@four.example')).toEqual({ count: 1 });
  expect(await findDraft(db, 'priya')).toMatchObject({ payer: { email: 'priya@four.example', 'name-2': 'Ana' } });
  expect(await of('lou@four.example')).toEqual([]);
  expect(await erase('priya@four.example')).toEqual({ count: 1 });
  expect(await findDraft(db, 'priya')).toBeNull();
});
