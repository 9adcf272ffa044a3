import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { readPresentSlugs } from './load-content.server.ts';
import type { PlannedRecord } from './plan.ts';
import { type RecordKind, type RecordValue, renameCourses } from './records.ts';
import type { Author, Revision } from './revisions.ts';
import { insertAll } from './write-rows.server.ts';

/** A record as it is live, null while it is not; `key` is its present one. */
export type LiveRecord = PlannedRecord & { was: RecordValue | null };

/**
 * The values of a new revision. `files`, of imports only, is the value in the files; null when they do not have the
 * record.
 */
export type RecordChange = LiveRecord & { now: RecordValue | null; files: RecordValue | null };

export type Stamp = { author: Author; at: Date; note: string | null };

/** The head of the history of a record. */
export type Head = {
  id: number;
  newest: number;
  imported: number | null;
  current: (Pick<Revision, 'number' | 'value'> & { live: boolean }) | null;
};

/** The heads of records by kind and key. */
export type Heads = ReadonlyMap<string, Head>;

export const headOf = (heads: Heads, { kind, key }: PlannedRecord): Head => {
  const head = heads.get(`${kind} ${key}`);
  if (!head) throw new Error(`${kind} "${key}" has no record`);
  return head;
};

/**
 * The heads of these records, which get a row where they have none. What is live but in no revision, because somebody
 * changed the rows without one, becomes a revision first, so that nothing is lost from the history.
 */
export async function catchUp(trx: Db, records: readonly LiveRecord[], at: Date): Promise<Heads> {
  const heads = await readHeads(trx, records);
  const presentSlug = await readPresentSlugs(trx);
  const rows = records.flatMap((record) => {
    const head = headOf(heads, record);
    const { was } = record;
    const valueNow = (value: RecordValue) => renameCourses({ ...record, value }, presentSlug).value;
    const { current } = head;
    const known =
      was === null ? !current?.live : current?.live && isDeepStrictEqual(valueNow(current.value), valueNow(was));
    const value = was ?? current?.value;
    if (known || !value) return [];
    const found = { author: 'found', at, note: null } as const;
    return [nextRow(head, { value, live: was !== null, files: null, base: current?.number ?? null }, found)];
  });
  await insertAll(trx, 'content_revisions', rows);
  return heads;
}

/** Writes a revision of each change, based on the newest of its author's: an import's on the one before it. */
export async function writeRevisions(
  trx: Db,
  heads: Heads,
  changes: readonly RecordChange[],
  stamp: Stamp,
): Promise<void> {
  const rows = changes.flatMap((change) => {
    const head = headOf(heads, change);
    const { was, now, files } = change;
    const base = stamp.author === 'import' ? head.imported : (head.current?.number ?? null);
    const value = now ?? was ?? head.current?.value ?? files;
    return value ? [nextRow(head, { value, live: now !== null, files, base }, stamp)] : [];
  });
  await insertAll(trx, 'content_revisions', rows);
}

type Next = { value: RecordValue; live: boolean; files: RecordValue | null; base: number | null };

/** The row of the next revision, to which the head moves. */
function nextRow(head: Head, { value, live, files, base }: Next, { author, at, note }: Stamp) {
  head.newest++;
  head.current = { number: head.newest, value, live };
  const person = typeof author === 'object' ? author.person : null;
  return {
    record_id: head.id,
    number: head.newest,
    state: live ? 'published' : 'retired',
    value: JSON.stringify(value),
    base,
    author: typeof author === 'object' ? 'person' : author,
    person_id: person,
    made_at: at,
    note,
    files: files && JSON.stringify(files),
  };
}

async function readHeads(trx: Db, records: readonly PlannedRecord[]): Promise<Map<string, Head>> {
  const [kinds, keys] = [records.map(({ kind }) => kind), records.map(({ key }) => key)];
  const wanted = sql`unnest(${kinds}::text[], ${keys}::text[]) wanted (kind, key)`;
  await sql`insert into content_records (kind, key) select distinct kind, key from ${wanted}
    on conflict (kind, key) do nothing`.execute(trx);
  const { rows } = await sql<{
    id: number;
    kind: RecordKind;
    key: string;
    newest: number;
    imported: number | null;
    number: number | null;
    state: string | null;
    value: RecordValue | null;
  }>`
    select record.id, record.kind, record.key, coalesce(newest, 0) as newest, imported, current.number, state, value
    from content_records record join ${wanted} using (kind, key)
    left join lateral (
      select max(number) as newest, max(number) filter (where author = 'import') as imported,
        max(number) filter (where state in ('published', 'retired')) as holds
      from content_revisions where record_id = record.id
    ) counted on true
    left join content_revisions current on current.record_id = record.id and current.number = holds`.execute(trx);
  return new Map(
    rows.map(({ id, kind, key, newest, imported, number, state, value }): [string, Head] => {
      const current = number !== null && value ? { number, value, live: state === 'published' } : null;
      return [`${kind} ${key}`, { id, newest, imported, current }];
    }),
  );
}
