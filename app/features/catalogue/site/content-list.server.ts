import { type NotNull, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { schemaFaults } from '#app/features/content/check-record.ts';
import { kinds, titleOf, wordsOf } from '#app/features/content/form/kinds.ts';
import type { RecordKind, RecordValue } from '#app/features/content/records.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { beginsAll, wordsIn } from '#app/lib/beginnings.ts';
import { formatMoment } from '#app/lib/short-dates.ts';

/** How many records of a kind there are, and how many have a draft or are scheduled. */
export async function countRecords(db: Db, actor: StaffActor) {
  requirePermission(actor, 'content:read');
  const { rows } = await sql<{ kind: string; live: number; retired: number; drafts: number; scheduled: number }>`
    select kind, (count(*) filter (where current.state = 'published'))::int as live,
      (count(*) filter (where current.state = 'retired'))::int as retired,
      (count(*) filter (where over_it.state = 'draft'))::int as drafts,
      (count(*) filter (where over_it.state = 'scheduled'))::int as scheduled
    from content_records record
    left join lateral (
      select state from content_revisions where record_id = record.id and state in ('published', 'retired')
      order by number desc limit 1
    ) current on true
    left join content_revisions over_it on over_it.record_id = record.id and over_it.number = record.draft
    group by kind`.execute(db);
  return (Object.keys(kinds) as RecordKind[]).map((kind) => {
    const found = rows.find((row) => row.kind === kind);
    const { live = 0, retired = 0, drafts = 0, scheduled = 0 } = found ?? {};
    return { kind, many: wordsOf(kind).many, live, retired, drafts, scheduled };
  });
}

export const listStates = ['live', 'draft', 'scheduled', 'retired'] as const;
export type ListState = (typeof listStates)[number];

/** The records of a kind by their titles; `search` is found in title or key. */
export async function listRecords(
  db: Db,
  actor: StaffActor,
  kind: RecordKind,
  filter: { search: string; state: ListState | null },
) {
  requirePermission(actor, 'content:read');
  const { title } = wordsOf(kind);
  const { rows } = await sql<{
    id: number;
    key: string;
    state: 'published' | 'retired' | null;
    overState: 'draft' | 'scheduled' | null;
    publishAt: Date | null;
    named: RecordValue;
    at: Date;
    by: string | null;
    author: string;
  }>`
    select record.id, record.key, current.state, over_it.state as "overState", over_it.publish_at as "publishAt",
      jsonb_build_object(${title}::text, newest.value -> ${title}, 'course', newest.value -> 'course',
        'number', newest.value -> 'number') as named,
      newest.made_at as at, person.name as by, newest.author
    from content_records record
    left join lateral (
      select number, state from content_revisions where record_id = record.id and state in ('published', 'retired')
      order by number desc limit 1
    ) current on true
    left join content_revisions over_it on over_it.record_id = record.id and over_it.number = record.draft
    join content_revisions newest on newest.record_id = record.id
      and newest.number = coalesce(record.draft, current.number)
    left join people person on person.id = newest.person_id
    where kind = ${kind}`.execute(db);
  const wanted = wordsIn(filter.search);
  return rows
    .map(({ named, at, by, author, publishAt, ...row }) => ({
      ...row,
      title: titleOf(kind, named),
      changed: formatMoment(at),
      by: by ?? byWhom(author),
      publishAt: publishAt && formatMoment(publishAt),
    }))
    .filter(({ title, key }) => beginsAll(`${title} ${key}`, wanted))
    .filter(({ state, overState }) => !filter.state || isIn(filter.state, state, overState))
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en-AU', { numeric: true }));
}

function isIn(wanted: ListState, state: string | null, over: string | null): boolean {
  if (wanted === 'live') return state === 'published';
  return wanted === 'retired' ? state === 'retired' : over === wanted;
}

const authors: Record<string, string> = { files: 'The files', program: 'The program' };
/** The author of a revision that no person made. */
export const byWhom = (author: string): string => authors[author] ?? author;

/** Drafts and scheduled revisions of every kind, the latest first. */
export async function listDrafts(db: Db, actor: StaffActor, most: number) {
  requirePermission(actor, 'content:read');
  const rows = await db
    .selectFrom('content_records')
    .innerJoin('content_revisions', (join) => join.onRef('record_id', '=', 'id').onRef('number', '=', 'draft'))
    .innerJoin('people', 'people.id', 'person_id')
    .select(['content_records.id', 'kind', 'value', 'made_at', 'publish_at', 'people.name as by'])
    // Staff always have a name.
    .$narrowType<{ by: NotNull }>()
    .orderBy('made_at', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id, kind, value, made_at, publish_at, by }) => ({
    id,
    // Only records of content are written there.
    kind: kind as RecordKind,
    title: titleOf(kind as RecordKind, value as RecordValue),
    one: wordsOf(kind as RecordKind).one,
    by,
    kept: formatMoment(made_at),
    // The check of the record alone; the page of the record checks it together with all others.
    faults: schemaFaults(kind as RecordKind, value as RecordValue).length,
    publishAt: publish_at && formatMoment(publish_at),
  }));
}
