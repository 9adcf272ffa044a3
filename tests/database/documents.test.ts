import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const phoneOf = async (db: Db) => (await readDocuments(db, ['site'])).site.phone;
const setPhone = (db: Db, phone: string) =>
  sql`update site_content set body = jsonb_set(body, '{phone}', ${JSON.stringify(phone)}) where name = 'site'`.execute(
    db,
  );

test('a document that is kept in memory is read again after each change, also of a transaction that is taken back', async () => {
  const { db } = database;
  const before = await phoneOf(db);
  await setPhone(db, '+61 7 5550 0001');
  expect(await phoneOf(db)).toBe('+61 7 5550 0001');
  const preview = db.transaction().execute(async (trx) => {
    await setPhone(trx, '+61 7 5550 0002');
    expect(await phoneOf(trx)).toBe('+61 7 5550 0002');
    await setPhone(trx, '+61 7 5550 0003');
    expect(await phoneOf(trx)).toBe('+61 7 5550 0003');
    expect(await phoneOf(db)).toBe('+61 7 5550 0001');
    expect(await phoneOf(trx)).toBe('+61 7 5550 0003');
    throw new Error('taken back');
  });
  await expect(preview).rejects.toThrow('taken back');
  expect(await phoneOf(db)).toBe('+61 7 5550 0001');
  await setPhone(db, before);
  expect(await phoneOf(db)).toBe(before);
});

test('readers of one document cannot change it for each other', async () => {
  const { holidays } = await readDocuments(database.db, ['holidays']);
  expect(() => holidays.reverse()).toThrow(TypeError);
  expect((await readDocuments(database.db, ['holidays'])).holidays).toBe(holidays);
});
