import { inject } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { statement } from './statement.ts';

export type TestDatabase = {
  db: Db;
  connection: { host: string; user: string; password: string; database: string };
  drop(): Promise<void>;
};

/** A separate database for one test: migrated and without content, or with the academy's content of 8 September 2025. */
export async function createTestDatabase(template: 'template' | 'academyTemplate' = 'template'): Promise<TestDatabase> {
  const original = inject(template);
  const database = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const server = { ...original, database: 'postgres' };
  await statement(server, `create database ${database} template ${original.database} strategy file_copy`);
  const connection = { ...original, database };
  const db = createDb(connection, () => undefined);
  return {
    db,
    connection,
    async drop() {
      await db.destroy();
      await statement(server, `drop database ${database} with (force)`);
    },
  };
}
