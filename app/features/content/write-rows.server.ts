import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';

// Well under PostgreSQL's 65,535 parameters a statement, at up to twenty columns.
const rowsPerStatement = 1000;

type Table = keyof DB & string;

/** Inserts rows of the same columns, in as many statements as it takes. */
export async function insertAll(
  trx: Db,
  table: Table,
  rows: Record<string, unknown>[],
  onConflict: (columns: string[]) => RawBuilder<unknown> = () => sql``,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    const columns = Object.keys(some[0] ?? {});
    const values = some.map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`);
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)} ${onConflict(columns)}`.execute(trx);
  }
}

/** Inserts rows, or updates those whose `key` is there already. */
export async function upsert(trx: Db, table: Table, key: string, rows: Record<string, unknown>[]): Promise<void> {
  await insertAll(
    trx,
    table,
    rows,
    (columns) =>
      sql`on conflict (${sql.ref(key)}) do update set ${sql.join(
        columns
          .filter((column) => column !== key)
          .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
      )}`,
  );
}
