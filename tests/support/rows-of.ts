import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** What each request notes of the sign-in, and jobs of themselves. */
const noted = ['sign_ins', 'job_runs', 'job_faults', 'daily_jobs'];

/** A sum of the rows of each table, or of some: two of them are equal when nothing was written in between. */
export async function rowsOf(db: Db, only?: readonly string[]): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const kept = tables.rows.filter(({ name }) => only?.includes(name) ?? !noted.includes(name));
  const sums = kept.map(
    ({ name }) => sql`select ${name}::text as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as sum
      from ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ name: string; sum: string }>`${sql.join(sums, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}
