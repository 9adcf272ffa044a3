import pg from 'pg';
import { inject } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';

export type TestDatabase = {
  db: Db;
  connection: { host: string; user: string; password: string; database: string };
  drop(): Promise<void>;
};

/** A separate database for one test, migrated and without content. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject('template');
  const database = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const run = async (text: string) => {
    const client = new pg.Client({ ...template, database: 'postgres' });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await run(`create database ${database} template ${template.database}`);
  const connection = { ...template, database };
  const db = createDb(connection, () => undefined);
  return {
    db,
    connection,
    async drop() {
      await db.destroy();
      await run(`drop database ${database} with (force)`);
    },
  };
}
