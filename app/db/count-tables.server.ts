import { sql } from 'kysely';
import type { Db } from './client.server.ts';

/** How many tables the program and its queue have. */
export async function countTables(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_tables where schemaname in ('public', 'pgboss')`.execute(db);
  return rows[0]?.count ?? 0;
}
