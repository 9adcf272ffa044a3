import { type RawBuilder, sql } from 'kysely';
import { type Cursor, type KeyKind, mostCounted, type RowKey, type Standing } from '#app/lib/keyset.ts';
import type { Db } from './client.server.ts';

/** A list of rows in the order of a key, with the id behind it where the key is not unique. */
export type Keyset = {
  /** The tables, as written behind FROM. */
  from: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  kind: KeyKind;
  /** Whether the key alone is unique: then the index has no id behind it. */
  unique?: boolean;
  where: readonly RawBuilder<unknown>[];
};

/** Which page to read: from which row on, in which direction. */
export type Reading = { descending: boolean; cursor: Cursor | null; length: number };

/** One page. `newer` and `older` are the starts of the pages before and after it; null where there is none. */
export type KeysetPage = { ids: number[]; newer: Cursor | null; older: Cursor | null };

/** One page of a list by its keys. A row that a cursor names may be gone: only its key counts. */
export async function keysetPage(db: Db, set: Keyset, { descending, cursor, length }: Reading): Promise<KeysetPage> {
  const back = cursor?.at === 'before';
  const towards = back ? !descending : descending;
  const { rows: found } = await sql<RowKey>`select id, ${textOf(set.kind)} as key
    from (${rowsOf(set, { from: cursor, descending: towards })} ${orderOf(set, towards)} limit ${length + 1}) as page`.execute(
    db,
  );
  const page = found.slice(0, length);
  const onward = found.length > length ? (page.at(-1) ?? null) : null;
  const shown = back ? page.toReversed() : page;
  // The page of the cursor has rows, unless they changed since: then it is empty and leads back.
  const [first, last] = [shown.at(0) ?? cursor, shown.at(-1) ?? cursor];
  return {
    ids: shown.map(({ id }) => id),
    newer: back ? pointer('before', onward) : cursor ? pointer('before', first) : null,
    older: back ? pointer('after', last) : pointer('after', onward),
  };
}

const pointer = (at: Cursor['at'], row: RowKey | null): Cursor | null => row && { at, key: row.key, id: row.id };

/** One page of a list with the values that `read` finds for its rows and its position in the list (P78). */
export async function listedPage<Row>(db: Db, set: Keyset, reading: Reading, read: (ids: number[]) => Promise<Row[]>) {
  const { ids, ...page } = await keysetPage(db, set, reading);
  const [rows, standing] = await Promise.all([read(ids), standingOf(db, set, reading, ids)]);
  return { ...page, rows, standing };
}

/** All rows of a list in pieces, for a file; the caller stops where it has enough. */
export async function* everyRow<Row>(
  db: Db,
  set: Keyset,
  { descending, length = 1000 }: { descending: boolean; length?: number },
  read: (ids: number[]) => Promise<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  let cursor: Cursor | null = null;
  do {
    const { ids, older }: KeysetPage = await keysetPage(db, set, { descending, cursor, length });
    yield await read(ids);
    cursor = older;
  } while (cursor);
}

/** The position of a page: exact up to 10,000 rows, and never counted further. */
async function standingOf(db: Db, set: Keyset, reading: Reading, ids: readonly number[]): Promise<Standing> {
  const { descending, cursor } = reading;
  const all = await countRows(db, set, { from: null, descending }, mostCounted + 1);
  const standing = { shown: ids.length, total: Math.min(all, mostCounted), more: all > mostCounted };
  if (!cursor) return { ...standing, before: 0 };
  const [first] = ids;
  const row = first === undefined ? null : await keyOfRow(db, set, first);
  const before = row && (await countRows(db, set, { from: row, descending: !descending }, mostCounted + 1));
  return { ...standing, before: before !== null && before <= mostCounted ? before : null };
}

/** How many rows there are, counted up to `most`. */
export const countKeyset = (db: Db, set: Keyset, most: number): Promise<number> =>
  countRows(db, set, { from: null, descending: true }, most);

type Run = { from: RowKey | null; descending: boolean };

async function countRows(db: Db, set: Keyset, run: Run, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${rowsOf(set, run)} limit ${most}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The key of a row of a list; null when the list has no such row. */
export async function keyOfRow(db: Db, set: Keyset, id: number): Promise<RowKey | null> {
  const { rows } = await sql<RowKey>`select id, ${textOf(set.kind)} as key
    from (select ${set.id} as id, ${set.key} as key from ${set.from}
      where ${sql.join([sql`${set.id} = ${id}`, ...set.where], sql` and `)} limit 1) as found`.execute(db);
  return rows[0] ?? null;
}

/** Rows as `id` and `key`, those behind a row in their order. */
function rowsOf(
  { from: tables, id, key, kind, unique, where }: Keyset,
  { from, descending }: Run,
): RawBuilder<unknown> {
  const beyond = descending ? sql`<` : sql`>`;
  const start =
    from &&
    (unique
      ? sql`${key} ${beyond} ${from.key}::${types[kind]}`
      : sql`(${key}, ${id}) ${beyond} (${from.key}::${types[kind]}, ${from.id}::bigint)`);
  const conditions = [sql`true`, ...where, ...(start ? [start] : [])];
  return sql`select ${id} as id, ${key} as key from ${tables} where ${sql.join(conditions, sql` and `)}`;
}

function orderOf({ id, key, unique }: Keyset, descending: boolean): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`;
  return sql`order by ${key} ${direction}${unique ? sql`` : sql`, ${id} ${direction}`}`;
}

const types: Record<KeyKind, RawBuilder<unknown>> = {
  moment: sql`timestamptz`,
  day: sql`date`,
  whole: sql`bigint`,
  text: sql`text`,
};

const textOf = (kind: KeyKind): RawBuilder<string> =>
  kind === 'moment' ? sql`to_char(key at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : sql`key::text`;
