import { type NotNull, type Selectable, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { ContentRevisions } from '#app/db/schema.ts';
import { readPresentSlugs } from './load-content.server.ts';
import { type ContentRecord, type RecordKind, type RecordValue, renameCourses } from './records.ts';
import type { Author, RecordRef, Revision } from './revisions.ts';

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

/** What the files had at the last import that knew each record: the base of the next one (P46). */
export async function readImported(trx: Db): Promise<ContentRecord[]> {
  const rows = await trx
    .selectFrom('content_revisions')
    .innerJoin('content_records', 'content_records.id', 'record_id')
    .distinctOn('record_id')
    .select(['kind', 'key', 'files'])
    .where('author', '=', 'import')
    .orderBy('record_id')
    .orderBy('number', 'desc')
    .execute();
  return rows.flatMap(({ kind, key, files }) =>
    files === null ? [] : [{ kind: kind as RecordKind, key, value: files as RecordValue }],
  );
}

/** The versions of what content is written to, as one text; seats are not its business. */
export async function readContentState(trx: Db): Promise<string> {
  const versions = await trx
    .selectFrom('snapshot_versions')
    .selectAll()
    .where('part', '<>', 'seats')
    .orderBy('part')
    .execute();
  return JSON.stringify(versions);
}

/** The records over which a draft lies, or a revision that is scheduled: an export leaves these values out (P75). */
export async function readDrafts(db: Db): Promise<{ kind: string; key: string; publishAt: Date | null }[]> {
  return db
    .selectFrom('content_drafts')
    .innerJoin('content_records', 'content_records.id', 'content_drafts.record_id')
    .innerJoin('content_revisions', (join) =>
      join
        .onRef('content_revisions.record_id', '=', 'content_drafts.record_id')
        .onRef('content_revisions.number', '=', 'content_drafts.number'),
    )
    .select(['kind', 'key', 'publish_at as publishAt'])
    .orderBy('kind')
    .orderBy('key')
    .execute();
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
