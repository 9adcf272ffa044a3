import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { openSignIns } from '#app/features/people/sign-ins.server.ts';
import { cuttingProxy } from '#tests/support/cutting-proxy.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { insertSignIn } from '#tests/support/staff.ts';

const now = new Date();
const clock = { now: () => now, aheadMs: 0 };
let database: SharedDatabase;
let opened: { db: Db; close(): Promise<void> }[];
let headers: Headers;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  opened = [];
  const { value } = await insertSignIn(database.db, { email: 'ada@example.com', name: 'Ada Byron' }, now);
  headers = new Headers({ Cookie: `sign-in=${value}` });
});
afterEach(async () => {
  for (const one of opened) {
    await one.db.destroy();
    await one.close();
  }
});

/** Sign-ins on a database that loses its connection at the first statement that matches; the next connection holds. */
async function cutAt(statement: RegExp) {
  const proxy = await cuttingProxy(database.connection, statement, 'before');
  const db = createDb({ ...database.connection, host: proxy.host }, () => undefined);
  opened.push({ db, close: () => proxy.close() });
  const secret = await programSecret(database.db, 'sign-in');
  return openSignIns({ db, baseUrl: 'http://localhost:3000', secret });
}

test('that the database was lost while a sign-in was looked up is told as that, though it is back at once', async () => {
  const signIns = await cutAt(/from "sign_ins"/);
  const failed = await signIns.find(headers, clock).then(
    () => null,
    (error: unknown) => error,
  );
  expect([failed instanceof Error, isConnectionFailure(failed)]).toEqual([true, true]);
  // The proxy cuts each connection once; what is found afterwards shows that the sign-in is whole.
  const sound = openSignIns({
    db: database.db,
    baseUrl: 'http://localhost:3000',
    secret: await programSecret(database.db, 'sign-in'),
  });
  expect((await sound.find(headers, clock)).actor?.person.name).toBe('Ada Byron');
});

test('a fault that is none of the database’s stays one', async () => {
  await database.owner.schema.alterTable('sign_ins').renameTo('moved').execute();
  const secret = await programSecret(database.db, 'sign-in');
  const signIns = openSignIns({ db: database.db, baseUrl: 'http://localhost:3000', secret });
  const failed = await signIns.find(headers, clock).catch((error: unknown) => error);
  expect([failed instanceof Error, isConnectionFailure(failed)]).toEqual([true, false]);
});
