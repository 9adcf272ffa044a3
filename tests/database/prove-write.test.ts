import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { proveWrite } from '#app/db/prove-write.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a writable database passes the check repeatedly without growing', async () => {
  const size = async () =>
    (await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(database.db)).rows[0]
      ?.size;
  const written = async () =>
    (
      await sql<{
        bytes: number;
      }>`select temp_bytes as bytes from pg_stat_database where datname = current_database()`.execute(database.db)
    ).rows[0]?.bytes;
  expect(await proveWrite(database.db)).toEqual({ ok: true });
  const before = await size();
  for (let time = 0; time < 50; time++) expect(await proveWrite(database.db)).toEqual({ ok: true });
  expect(await size()).toBe(before);
  // Every check wrote a temporary file.
  await sql`select pg_stat_force_next_flush()`.execute(database.db);
  expect(await written()).toBeGreaterThan(256 * 1024);
});

test('a read-only database and an unreachable one are reported differently', async () => {
  await sql`alter database ${sql.id(database.connection.database)} set default_transaction_read_only = on`.execute(
    database.owner,
  );
  const readOnly = createDb(database.connection, () => undefined);
  const connection = async () => (await sql`select pg_backend_pid() as pid`.execute(readOnly)).rows;
  const first = await connection();
  expect(await proveWrite(readOnly)).toEqual({ ok: false, reason: 'read-only' });
  // Its address may lead to another server by now (P91).
  expect(await connection()).not.toEqual(first);
  await readOnly.destroy();
  const away = createDb({ ...database.connection, host: '/nonexistent' }, () => undefined);
  expect(await proveWrite(away)).toEqual({ ok: false, reason: 'not reachable' });
  await away.destroy();
});
