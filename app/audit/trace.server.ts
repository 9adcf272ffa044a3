import { type NotNull, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** Which entries of the trace (P69). */
export type TraceFilter = {
  /** The id of the person who acted; `program` means the command line and jobs. */
  who: number | 'program' | null;
  /** The kind of the subject, such as `enrolment`. */
  kind: string | null;
  /** The reference of the subject, such as `BB-7KQ2MX`. */
  about: string | null;
  /** Days in Brisbane, both included. */
  from: Day | null;
  to: Day | null;
};

export type TraceEntry = {
  id: number;
  at: Date;
  /** Null: the command line, or a job. */
  by: string | null;
  action: string;
  subject: string;
  /** The name of the person whom the subject names by a number. */
  person: string | null;
  details: unknown;
  changes: { field: string; before: unknown; after: unknown }[];
};

/** An enrolment is known to people by its reference, a course and its instructor by their names. */
const named = (side: 'before' | 'after') => sql`coalesce(case field
  when 'enrolmentId' then (select to_jsonb(reference) from enrolments where id = (${sql.ref(side)} #>> '{}')::bigint)
  when 'course' then (select to_jsonb(title) from courses where slug = ${sql.ref(side)} #>> '{}')
  when 'instructor' then (select to_jsonb(name) from instructors where slug = ${sql.ref(side)} #>> '{}')
  end, ${sql.ref(side)})`;

const startOf = (day: Day) => new Date(`${day}T00:00:00+10:00`);

/** A page of entries, newest first, from before a given entry or from the newest. */
export async function readTrace(
  db: Db,
  { who, kind, about, from, to }: TraceFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<TraceEntry[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .leftJoin('people', 'people.id', 'person_id')
    .select(['audit_entries.id', 'at', 'people.name as by', 'action', 'subject', 'details'])
    .select(
      sql<TraceEntry['changes']>`coalesce((
        select jsonb_agg(jsonb_build_object('field', field, 'before', ${named('before')},
          'after', ${named('after')}) order by field)
        from audit_changes where entry_id = audit_entries.id), '[]')`.as('changes'),
    )
    .select(
      sql<string | null>`(select name from people about
        where about.id = substring(subject from '^person:(\\d{1,15})$')::bigint)`.as('person'),
    )
    .$if(who === 'program', (query) => query.where('person_id', 'is', null))
    .$if(typeof who === 'number', (query) => query.where('person_id', '=', Number(who)))
    .$if(kind !== null && about === null, (query) => query.where('subject', 'like', `${kind}:%`))
    .$if(kind !== null && about !== null, (query) => query.where('subject', '=', `${kind}:${about}`))
    .$if(kind === null && about !== null, (query) => query.where(sql<boolean>`split_part(subject, ':', 2) = ${about}`))
    .$if(from !== null, (query) => query.where('at', '>=', startOf(from ?? '')))
    .$if(to !== null, (query) => query.where('at', '<', startOf(addDays(to ?? '', 1))))
    .$if(before !== null, (query) => query.where('audit_entries.id', '<', before ?? 0))
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute();
  return rows;
}

/** All entries, newest first, in pieces. */
export async function* everyEntry(db: Db, filter: TraceFilter): AsyncGenerator<readonly TraceEntry[], void, undefined> {
  const limit = 500;
  for (let before: number | null = null; ; ) {
    const piece: TraceEntry[] = await readTrace(db, filter, { before, limit });
    if (piece.length > 0) yield piece;
    if (piece.length < limit) return;
    before = piece.at(-1)?.id ?? 0;
  }
}

/** The people whom the filter offers: everybody who has an audit entry. */
export const readActors = (db: Db) =>
  db
    .selectFrom('people')
    .select(['id', 'name'])
    .$narrowType<{ name: NotNull }>()
    .where('name', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('audit_entries').select('audit_entries.id').whereRef('person_id', '=', 'people.id')),
    )
    .orderBy('name')
    .limit(500)
    .execute();
