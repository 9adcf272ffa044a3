import { type NotNull, type Selectable, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { ContentRevisions } from '#app/db/schema.ts';
import {
  type Author,
  type ContentRecord,
  type RecordChange,
  type RecordedContent,
  type RecordKind,
  type RecordRef,
  type RecordValue,
  type Revision,
  renameCourses,
  renamedBy,
} from './records.ts';
import { insertAll, writeTables } from './write-tables.server.ts';

/** Locks the content against other writers until the transaction ends. */
export async function lockContent(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('content', 0))`.execute(trx);
}

/** Whether content was ever filled in (P95). */
export async function hasContent(db: Db): Promise<boolean> {
  return (await db.selectFrom('content_records').select('id').limit(1).execute()).length > 0;
}

/** Everything that is published, by the keys and courses' slugs of now. */
export async function readPublished(db: Db): Promise<ContentRecord[]> {
  const { rows } = await sql<{ kind: RecordKind; key: string; value: RecordValue }>`
    select kind, key, value from content_records record join lateral (
      select state, value from content_revisions where record_id = record.id and state in ('published', 'retired')
      order by number desc limit 1
    ) current on state = 'published'
    order by record.id`.execute(db);
  const presentSlug = await readPresentSlugs(db);
  return rows.map((record) => renameCourses(record, presentSlug));
}

/** Makes a course's present slug of any that it has or had; others stay. */
async function readPresentSlugs(trx: Db): Promise<(slug: string) => string> {
  const courses = await trx.selectFrom('courses').select(['slug', 'aliases']).execute();
  const present = new Map(courses.flatMap(({ slug, aliases }) => aliases.map((alias) => [alias, slug])));
  return (slug) => present.get(slug) ?? slug;
}

/** The record of a kind with this slug or name, live or not; null when there never was one. */
export async function findRecord(trx: Db, kind: string, key: string): Promise<RecordRef | null> {
  const row = await trx
    .selectFrom('content_records')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? asRef(row) : null;
}

export async function readRecord(trx: Db, id: number): Promise<RecordRef | null> {
  const row = await trx.selectFrom('content_records').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? asRef(row) : null;
}

/** All revisions of a record in the order of their numbers, courses by their present slugs. */
export async function listRevisions(trx: Db, record: RecordRef): Promise<Revision[]> {
  const rows = await trx
    .selectFrom('content_revisions')
    .selectAll()
    .where('record_id', '=', record.id)
    .orderBy('number')
    .execute();
  const presentSlug = await readPresentSlugs(trx);
  return rows.map((row) => ({
    number: row.number,
    state: row.state,
    value: renameCourses({ ...record, value: row.value as RecordValue }, presentSlug).value,
    base: row.base,
    author: authorOf(row),
    at: row.made_at,
    publishAt: row.publish_at,
    note: row.note,
  }));
}

/** Names of people by their ids. */
export async function readAuthorNames(trx: Db, revisions: readonly Revision[]): Promise<Map<number, string>> {
  const ids = revisions.flatMap(({ author }) => (typeof author === 'object' ? [author.person] : []));
  const rows = await trx
    .selectFrom('people')
    .select(['id', 'name'])
    // Staff always have a name.
    .$narrowType<{ name: NotNull }>()
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const asRef = ({ id, kind, key }: { id: number; kind: string; key: string }): RecordRef => ({
  id,
  // Only records of content are written there.
  kind: kind as RecordKind,
  key,
});

function authorOf({ author, person_id }: Pick<Selectable<ContentRevisions>, 'author' | 'person_id'>): Author {
  if (person_id !== null) return { person: person_id };
  // A check constraint gives each row by a person its person.
  if (author === 'person') throw new Error('a revision by a person names nobody');
  return author;
}

export type Stamp = { author: Author; at: Date; note: string | null };

/**
 * Publishes changes: writes a revision of each record (P70) and the tables that pages read. `content` is the whole
 * content afterwards. Returns the number of each record's revision by its id. The caller has locked the content.
 */
export async function writeChanges(
  trx: Db,
  changes: readonly RecordChange[],
  content: RecordedContent,
  stamp: Stamp,
): Promise<Map<number, number>> {
  const heads = await readHeads(trx, changes);
  await stampPrices(trx, stamp);
  await writeTables(trx, changes, content, stamp.at);
  await renameRecords(trx, changes);
  const { author, at, note } = stamp;
  const rows = changes.map(({ kind, key, was, now }) => {
    const head = heads.get(`${kind} ${key}`);
    const value = now ?? was;
    if (!head || !value) throw new Error(`${kind} "${key}" has no record or no value`);
    return {
      record_id: head.id,
      number: head.newest + 1,
      state: now ? 'published' : 'retired',
      value: JSON.stringify(value),
      base: head.current,
      author: typeof author === 'object' ? 'person' : author,
      person_id: typeof author === 'object' ? author.person : null,
      made_at: at,
      note,
    };
  });
  await insertAll(trx, 'content_revisions', rows);
  return new Map(rows.map(({ record_id, number }) => [record_id, number]));
}

/** Gives renamed records their new slug as key, and the modules of a course its new slug in theirs. */
async function renameRecords(trx: Db, changes: readonly RecordChange[]): Promise<void> {
  for (const { kind, key, to } of renamedBy(changes)) {
    const records = trx.updateTable('content_records');
    await records.set({ key: to }).where('kind', '=', kind).where('key', '=', key).execute();
    if (kind !== 'course') continue;
    await records
      .set({ key: sql<string>`${to} || substr(key, ${key.length + 1})` })
      .where('kind', '=', 'module')
      .where(sql<boolean>`starts_with(key, ${`${key}/`})`)
      .execute();
  }
}

/** A record with the numbers of its newest revision and of its published or retired one; null for none. */
type Head = { id: number; newest: number; current: number | null };

/** The heads by kind and key; a record that has none gets its row. */
async function readHeads(trx: Db, records: readonly RecordChange[]): Promise<Map<string, Head>> {
  const [kinds, keys] = [records.map(({ kind }) => kind), records.map(({ key }) => key)];
  const wanted = sql`unnest(${kinds}::text[], ${keys}::text[]) wanted (kind, key)`;
  await sql`insert into content_records (kind, key) select kind, key from ${wanted}
    on conflict (kind, key) do nothing`.execute(trx);
  const { rows } = await sql<Head & { kind: string; key: string }>`
    select record.id, record.kind, record.key, coalesce(newest, 0) as newest, current
    from content_records record join ${wanted} using (kind, key)
    left join lateral (
      select max(number) as newest, max(number) filter (where state in ('published', 'retired')) as current
      from content_revisions where record_id = record.id
    ) counted on true`.execute(trx);
  return new Map(rows.map(({ kind, key, ...head }) => [`${kind} ${key}`, head]));
}

/**
 * Says for the rest of the transaction who changes prices of courses, when and why. The ledger of prices follows every
 * change by a trigger (P76); without this it says that the change was found.
 */
async function stampPrices(trx: Db, { author, at, note }: Stamp): Promise<void> {
  const who = typeof author === 'object' ? { author: 'person', person: author.person } : { author };
  await sql`select set_config('academy.price_stamp', ${JSON.stringify({ ...who, at, note })}, true)`.execute(trx);
}
