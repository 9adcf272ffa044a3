import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabaseTime } from '#app/db/database-time.server.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());

const yearMs = 365 * 24 * 60 * 60_000;

test('the time is the database’s, not the computer’s', async () => {
  const time = await openDatabaseTime(database.db, () => Date.now() + yearMs);
  expect(Math.abs(time.now().getTime() - Date.now())).toBeLessThan(5_000);
});

test.each([
  [121_000, "this computer's clock is 2 minutes ahead of the database's"],
  [-yearMs, "this computer's clock is 525600 minutes behind the database's"],
  [60_000, null],
])('a clock that is %s ms ahead is a fault: %s', async (aheadMs, fault) => {
  const time = await openDatabaseTime(database.db, () => Date.now() + aheadMs);
  expect(time.fault()).toBe(fault);
});
