import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export type SharedDatabase = TestDatabase & {
  /**
   * Empties it of people and their records, as if it were new: every table that was empty then is emptied, and small
   * ones get their first rows back (counters, settings, course dates). The catalogue stays as it is, so a test that
   * changes courses, combos or texts needs a database of its own.
   */
  empty(): Promise<void>;
};

/** Tables with more rows than this are content that tests leave alone. */
const mostRowsKept = 12;

/** One database for the tests of a file: call `empty` before each. Which tables hold what is read from the database. */
export async function createSharedDatabase(template?: 'template' | 'academyTemplate'): Promise<SharedDatabase> {
  const database = await createTestDatabase(template);
  const { owner } = database;
  const { rows: tables } = await sql<{ name: string; rows: number }>`
    select format('%I.%I', schemaname, tablename) as name,
      (xpath('/row/rows/text()', query_to_xml(
        format('select count(*) as rows from %I.%I', schemaname, tablename), false, true, '')))[1]::text::integer as rows
    from pg_tables where schemaname in ('public', 'pgboss') and tablename not like 'kysely_%'`.execute(owner);
  const emptied = tables.filter(({ rows }) => rows === 0).map(({ name }) => name);
  const kept = tables.filter(({ rows }) => rows > 0 && rows <= mostRowsKept).map(({ name }) => name);
  const asMade = (name: string) => `as_made."${name}"`;
  await sql
    .raw(`create schema as_made;${kept.map((name) => `create table ${asMade(name)} as table ${name};`).join('')}`)
    .execute(owner);
  const restore = [
    'begin',
    // Without triggers and the order of foreign keys.
    "set local session_replication_role = 'replica'",
    // A truncation takes longer for a few rows.
    ...emptied.map((name) => `delete from ${name}`),
    ...kept.flatMap((name) => [
      `delete from ${name}`,
      `insert into ${name} overriding system value table ${asMade(name)}`,
    ]),
    'commit',
  ].join(';');
  return {
    ...database,
    async empty() {
      await sql.raw(restore).execute(owner);
    },
  };
}
