import { inject } from 'vitest';
import { createDb, type Db, type Limits } from '#app/db/client.server.ts';
import { statementOnKept } from './statement.ts';

/** No limits, and a long wait for a connection: of many at once each gets its turn, also on a busy machine. */
export const patientLimits: Limits = { lockMs: 0, statementMs: 0, answerMs: 0, connectMs: 120_000 };

export type TestDatabase = {
  db: Db;
  /** As the owner of the tables, so that a test can arrange what the program’s role may not write. */
  owner: Db;
  connection: { host: string; user: string; password: string; database: string };
  drop(): Promise<void>;
};

/**
 * A separate database for one test: migrated and without content, or with the academy's content of 8 September 2025.
 * `db` and `connection` ask as the role of the program, unless the test is about the owner's migrations.
 */
export async function createTestDatabase(
  template: 'template' | 'academyTemplate' = 'template',
  as: 'program' | 'owner' = 'program',
): Promise<TestDatabase> {
  const original = inject(template);
  const database = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const server = { ...original, database: 'postgres' };
  await statementOnKept(server, `create database ${database} template ${original.database} strategy file_copy`);
  const ownerConnection = { ...original, database };
  const connection = as === 'owner' ? ownerConnection : { ...ownerConnection, ...inject('programRole') };
  const db = createDb(connection, () => undefined, patientLimits);
  const owner = createDb(ownerConnection, () => undefined);
  return {
    db,
    owner,
    connection,
    async drop() {
      await Promise.all([db.destroy(), owner.destroy()]);
      await statementOnKept(server, `drop database ${database} with (force)`);
    },
  };
}
