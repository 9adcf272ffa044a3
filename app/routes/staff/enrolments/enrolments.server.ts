import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { searchWords } from '#app/lib/search-words.ts';
import type { EnrolmentFilter, EnrolmentState } from './enrolment-filter.ts';

const pageLength = 50;
/** Up to how many enrolments a search collects: more names than anybody reads. */
const mostFound = 2000;

/**
 * One page of the enrolments that fit, the latest first; `older` is where the next page begins. Every word of the search
 * must begin a word of the reference, the buyer, an attendee or an invoice's number. Of a search that fits more than
 * 2,000, `tooMany` is true and only some of them are looked through. How long a page takes does not grow with the number
 * of enrolments (decision 44).
 */
export async function listEnrolments(db: Db, actor: StaffActor, filter: EnrolmentFilter, today: Day) {
  demand(actor, 'enrolments:read');
  const words = searchWords(filter.search);
  const found =
    words.length === 0
      ? null
      : (
          await sql<{ id: number }>`select enrolment_id as id from enrolment_index
            where words @@ to_tsquery('simple', ${words.join(' & ')}) limit ${mostFound + 1}`.execute(db)
        ).rows.map(({ id }) => id);
  const ids = found?.length === 0 ? [] : await readIds(db, filter, { found, today });
  const page = ids.slice(0, pageLength);
  return {
    enrolments: await readRows(db, page),
    older: ids.length > pageLength ? (page.at(-1) ?? null) : null,
    tooMany: found !== null && found.length > mostFound,
  };
}

/** How many enrolments are in a state; `most` at most are counted. */
export async function countEnrolments(db: Db, state: EnrolmentState, today: Day, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
    select distinct enrolment_id from ${sourceOf(state, today)} limit ${most}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

async function readIds(
  db: Db,
  { state, session, before }: EnrolmentFilter,
  { found, today }: { found: readonly number[] | null; today: Day },
): Promise<number[]> {
  const conditions = [
    ...(before ? [sql`enrolment_id < ${before}`] : []),
    ...(found ? [sql`enrolment_id = any(${[...found]}::bigint[])`] : []),
    ...(session
      ? [
          sql`enrolment_id in (select places.enrolment_id from places
            join training_sessions on training_sessions.id = training_session_id
            where training_sessions.slug = ${session})`,
        ]
      : []),
  ];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const { rows } = await sql<{ id: number }>`select distinct enrolment_id as id from ${sourceOf(state, today)} ${where}
    order by enrolment_id desc limit ${pageLength + 1}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The enrolments in a state, as rows with `enrolment_id` in the order of a partial index. */
function sourceOf(state: EnrolmentState | null, today: Day): RawBuilder<unknown> {
  switch (state) {
    case null:
      return sql`enrolment_index`;
    case 'unpaid':
      return sql`(select enrolment_id from enrolment_index where balance_cents > 0) as source`;
    case 'overpaid':
      return sql`(select enrolment_id from enrolment_index where balance_cents < 0) as source`;
    // The index knows the day that is printed; nothing is due before it, and some of it later or not at all (P39).
    case 'overdue':
      return sql`(select enrolment_id from enrolment_index where balance_cents > 0 and due_on < ${today}
        and exists (select from open_invoices(enrolment_index.enrolment_id) as open where open.due_on < ${today})) as source`;
    case 'waiting':
      return sql`(select enrolment_id from places where way = 'next-date' and state = 'active') as source`;
    case 'choosing':
      return sql`(select enrolment_id from places where choose_by is not null) as source`;
    // Those whose buyers still choose as well.
    case 'session':
      return sql`(select enrolment_id from places
        where choose_by is not null or cancelled_why in ('session', 'lapsed')) as source`;
    case 'cancelled':
      return sql`(select enrolment_id from places where cancelled_why <> 'transfer') as source`;
  }
}

async function readRows(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('enrolments')
    .innerJoin('enrolment_index', 'enrolment_id', 'enrolments.id')
    .leftJoin('people', 'people.id', 'placed_by')
    .select(['enrolments.id', 'reference', 'title', 'buyer_name', 'enrolments.email', 'organisation', 'placed_at'])
    .select(['people.name as placed_by', 'balance_cents'])
    .select(
      sql<Day | null>`case when balance_cents > 0 then (select min(open.due_on) from open_invoices(enrolments.id) as open) end`.as(
        'due_on',
      ),
    )
    .select((eb) => [
      eb
        .selectFrom('places')
        .whereRef('places.enrolment_id', '=', 'enrolments.id')
        .where('places.state', '<>', 'cancelled')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('places'),
      eb
        .selectFrom('places')
        .innerJoin('training_sessions', 'training_sessions.id', 'training_session_id')
        .whereRef('places.enrolment_id', '=', 'enrolments.id')
        .where('places.state', '<>', 'cancelled')
        .select(({ fn }) => fn.min('starts_on').as('day'))
        .as('first_day'),
    ])
    .where('enrolments.id', 'in', ids)
    .orderBy('enrolments.id', 'desc')
    .execute();
}
