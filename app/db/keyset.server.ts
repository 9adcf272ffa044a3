import { type RawBuilder, sql } from 'kysely';
import { type Cursor, type KeyKind, mostCounted, type RowKey, type Standing } from '#app/lib/keyset.ts';
import type { Db } from './client.server.ts';

type Condition = RawBuilder<unknown>;

/** A list that reads its rows in the order of an index. */
export type Keyset = {
  /** The tables, as written behind FROM. */
  from: RawBuilder<unknown>;
  /** The columns of the index. */
  key: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  kind: KeyKind;
  /** Whether the key alone is unique: then the index has no id behind it. */
  unique?: boolean;
  /** Conditions that the index answers, or that leave few rows. */
  where: readonly Condition[];
  /** Conditions that are checked row by row, on a bounded number of rows, so that a page never costs more. */
  further: readonly Condition[];
  /** How many rows are checked at most; 4,000 by default. */
  looks?: number;
  /** Whether there are fewer rows than are checked: one query then finds the first page and counts them all. */
  few?: boolean;
};

/** Which page to read: from which row on, in which direction. */
export type Reading = { descending: boolean; cursor: Cursor | null; length: number };

/** One page. `newer` and `older` are where the pages before and after it begin; null where there is none. */
export type KeysetPage = { ids: number[]; newer: Cursor | null; older: Cursor | null };

/** How many rows are checked for one page when no index answers all filters of the list. */
const mostLooked = 4000;
const looksOf = ({ looks = mostLooked }: Keyset): number => looks;

/**
 * One page of a list by its keys. If too few of the checked rows fit, the page is shorter, or empty, and the next page
 * goes on from the last checked row. A row that a cursor names may be gone: only its key counts.
 */
export async function keysetPage(db: Db, set: Keyset, { descending, cursor, length }: Reading): Promise<KeysetPage> {
  const back = cursor?.at === 'before';
  const towards = back ? !descending : descending;
  const found = await rowsFrom(db, set, { from: cursor, descending: towards, length: length + 1 });
  const page = found.slice(0, length);
  let onward = found.length > length ? (page.at(-1) ?? null) : null;
  if (found.length <= length && set.further.length > 0) {
    onward = await lastLooked(db, set, { from: cursor, descending: towards });
  }
  const shown = back ? page.toReversed() : page;
  // The page that the cursor came from has rows, unless they changed meanwhile: then it is empty and leads back.
  const [first, last] = [shown.at(0) ?? cursor, shown.at(-1) ?? cursor];
  return {
    ids: shown.map(({ id }) => id),
    newer: back ? pointer('before', onward) : cursor ? pointer('before', first) : null,
    older: back ? pointer('after', last) : pointer('after', onward),
  };
}

const pointer = (at: Cursor['at'], row: RowKey | null): Cursor | null => row && { at, key: row.key, id: row.id };

/**
 * One page of a list with the values that `read` finds for its rows and its position in the list (P78). Where all rows
 * are looked at anyway, one query finds the first page and its position.
 */
export async function listedPage<Row>(db: Db, set: Keyset, reading: Reading, read: (ids: number[]) => Promise<Row[]>) {
  if (reading.cursor === null && (set.few || set.further.length > 0)) {
    const { ids, ...page } = await firstPage(db, set, reading);
    return { ...page, rows: await read(ids) };
  }
  const { ids, ...page } = await keysetPage(db, set, reading);
  const [rows, standing] = await Promise.all([read(ids), standingOf(db, set, reading, ids)]);
  return { ...page, rows, standing };
}

/** The first page of a list whose rows are all looked at, with its position. */
async function firstPage(db: Db, set: Keyset, { descending, length }: Reading) {
  const looks = looksOf(set);
  const key = textOf(set.kind);
  const { rows } = await sql<{ found: RowKey[]; last: RowKey | null; fitting: number; looked: number }>`
    with looked as materialized (${look(set, { from: null, descending, most: looks + 1 })}),
      page as (select id, ${key} as key from (select * from looked limit ${looks}) as most
        where fits limit ${length + 1}),
      last as (select id, ${key} as key from looked offset ${looks - 1} limit 1)
    select (select coalesce(json_agg(page), '[]') from page) as found, (select to_json(last) from last) as last,
      (count(*) filter (where fits))::integer as fitting, count(*)::integer as looked
    from looked`.execute(db);
  const { found = [], last = null, fitting = 0, looked = 0 } = rows[0] ?? {};
  const ids = found.slice(0, length).map(({ id }) => id);
  const onward = found.length > length ? (found.at(length - 1) ?? null) : last;
  const standing = { before: 0, shown: ids.length, ...counted(fitting, looked > looks) };
  return { ids, newer: null, older: pointer('after', onward), standing };
}

/** The position of a page: exact up to 10,000 rows, and never counted further. */
async function standingOf(db: Db, set: Keyset, reading: Reading, ids: readonly number[]): Promise<Standing> {
  const { descending, cursor } = reading;
  const all = await count(db, set, { from: null, descending });
  const standing = { shown: ids.length, total: all.total, more: all.more };
  if (!cursor) return { ...standing, before: 0 };
  const [first] = ids;
  if (first === undefined) return { ...standing, before: null };
  const row = await keyOfRow(db, set, first);
  const ahead = row && (await count(db, set, { from: row, descending: !descending }));
  return { ...standing, before: ahead && !ahead.more ? ahead.total : null };
}

/** How many rows there are, counted up to `most`. */
export async function countKeyset(db: Db, set: Keyset, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
    select from (${look(set, { from: null, descending: true, most: set.further.length > 0 ? looksOf(set) : most })}) as looked
    where fits limit ${most}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

type Run = { from: RowKey | null; descending: boolean };

async function rowsFrom(db: Db, set: Keyset, { length, ...run }: Run & { length: number }): Promise<RowKey[]> {
  const most = set.further.length > 0 ? looksOf(set) : length;
  const { rows } = await sql<RowKey>`select id, ${textOf(set.kind)} as key
    from (${look(set, { ...run, most })}) as looked where fits limit ${length}`.execute(db);
  return rows;
}

/** The last checked row, if there may be others behind it. */
async function lastLooked(db: Db, set: Keyset, run: Run): Promise<RowKey | null> {
  const { rows } = await sql<RowKey>`select id, ${textOf(set.kind)} as key
    from (${look({ ...set, further: [] }, { ...run, most: looksOf(set) })}) as looked
    offset ${looksOf(set) - 1}`.execute(db);
  return rows[0] ?? null;
}

/** The key of a row of a list; null when the list has no such row. */
export async function keyOfRow(db: Db, set: Keyset, id: number): Promise<RowKey | null> {
  const { rows } = await sql<RowKey>`select id, ${textOf(set.kind)} as key
    from (select ${set.id} as id, ${set.key} as key from ${set.from}
      where ${sql.join([sql`${set.id} = ${id}`, ...set.where], sql` and `)} limit 1) as found`.execute(db);
  return rows[0] ?? null;
}

async function count(db: Db, set: Keyset, run: Run) {
  const most = set.further.length > 0 ? looksOf(set) + 1 : mostCounted + 1;
  const { rows } = await sql<{ fitting: number; looked: number }>`
    select (count(*) filter (where fits))::integer as fitting, count(*)::integer as looked
    from (${look(set, { ...run, most })}) as looked`.execute(db);
  const { fitting = 0, looked = 0 } = rows[0] ?? {};
  return counted(fitting, looked === most);
}

const counted = (fitting: number, moreToLookAt: boolean): Pick<Standing, 'total' | 'more'> => ({
  total: Math.min(fitting, mostCounted),
  more: moreToLookAt || fitting > mostCounted,
});

/** Rows as `id`, `key` and whether each `fits`, in the order of the index. */
function look(set: Keyset, { from, descending, most }: Run & { most: number }): RawBuilder<unknown> {
  const { id, key, kind } = set;
  const [direction, beyond] = descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const start =
    from &&
    (set.unique
      ? sql`${key} ${beyond} ${from.key}::${types[kind]}`
      : sql`(${key}, ${id}) ${beyond} (${from.key}::${types[kind]}, ${from.id}::bigint)`);
  const where = start ? [...set.where, start] : set.where;
  return sql`select ${id} as id, ${key} as key, ${all(set.further)} as fits from ${set.from}
    where ${all(where)} order by ${key} ${direction}${set.unique ? sql`` : sql`, ${id} ${direction}`} limit ${most}`;
}

const all = (conditions: readonly Condition[]) =>
  conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`;

const types: Record<KeyKind, RawBuilder<unknown>> = {
  moment: sql`timestamptz`,
  day: sql`date`,
  whole: sql`bigint`,
  text: sql`text`,
};

const textOf = (kind: KeyKind): RawBuilder<string> =>
  kind === 'moment' ? sql`to_char(key at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : sql`key::text`;
