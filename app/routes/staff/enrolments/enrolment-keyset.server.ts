import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Keyset } from '#app/db/keyset.server.ts';
import { wordsFit } from '#app/db/words-fit.server.ts';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { unnamedFrom } from '#app/features/enrolments/names-to-come.server.ts';
import { sessionsBelowMinimum } from '#app/features/enrolments/session-attention.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { searchWords } from '#app/lib/search-words.ts';
import { type EnrolmentState, type EnrolmentView, enrolmentList } from './enrolment-filter.ts';

/** Up to how many enrolments are collected and then put in order. */
const mostFound = 2000;

/**
 * The enrolments of a view. An index has each order, and each state and course in the usual order. Words, a course date
 * and a state that few are in leave so few that these are collected first. What else a view asks is asked of one
 * enrolment after the other, of a bounded number.
 */
export async function enrolmentKeyset(
  db: Db,
  { search, values, sort }: Pick<EnrolmentView, 'search' | 'values' | 'sort'>,
  today: Day,
): Promise<Keyset> {
  const words = await foundByWords(db, search);
  const courseId = values.course === null ? null : ((await findCourse(db, values.course))?.id ?? 0);
  const byCourse = courseId !== null && (sort === 'enrolled' || sort === 'starts');
  const begun = values.state === 'unnamed' ? await begunWithNamesToCome(db, today) : [];
  const state = stateFits(values.state as EnrolmentState | null, { sort, today, begun });
  const collected = [
    Array.isArray(words) ? words : null,
    values.session === null ? null : await inSession(db, values.session),
    values.state === 'below' ? await belowMinimum(db, today) : null,
    state && (byCourse || !state.indexed) ? await collect(db, state.is) : null,
  ];
  const few = collected.flatMap((ids) => (ids === null ? [] : [sql`list.enrolment_id = any(${ids}::bigint[])`]));
  const conditions = [
    ...(state ? [{ is: state.is, indexed: state.indexed && !byCourse }] : []),
    ...days(values, sort),
    ...(courseId === null
      ? []
      : [{ indexed: byCourse, is: byCourse ? sql`its.course_id = ${courseId}` : ofCourse(courseId) }]),
    ...(values.paid === null ? [] : [{ indexed: false, is: sql`list.paid_by @> array[${values.paid}]` }]),
    ...(sort === 'due' ? [{ indexed: true, is: sql`list.due_on is not null` }] : []),
  ];
  const byIndex = ({ indexed }: Condition) => few.length > 0 || indexed;
  const common = words !== null && !Array.isArray(words) ? [words] : [];
  return {
    from: byCourse
      ? sql`enrolment_courses its join enrolment_list list using (enrolment_id)`
      : sql`enrolment_list list`,
    ...(byCourse ? keysOfCourse[sort] : keys[sort]),
    kind: enrolmentList.sorts[sort].kind,
    few: few.length > 0,
    where: [...few, ...conditions.filter(byIndex).map(({ is }) => is)],
    further: [...common, ...conditions.filter((condition) => !byIndex(condition)).map(({ is }) => is)],
  };
}

/** The ids of the enrolments in a state; null for more than 2,000. */
async function collect(db: Db, is: RawBuilder<unknown>): Promise<number[] | null> {
  const { rows } = await sql<{ id: number }>`select enrolment_id as id from enrolment_list list
    where ${is} limit ${mostFound + 1}`.execute(db);
  return rows.length <= mostFound ? rows.map(({ id: its }) => its) : null;
}

type Key = Pick<Keyset, 'key' | 'id'>;
const id = sql`list.enrolment_id`;
const keys: Record<EnrolmentView['sort'], Key> = {
  enrolled: { key: sql`list.enrolled_at`, id },
  starts: { key: sql`list.starts_on`, id },
  owed: { key: sql`list.balance_cents`, id },
  due: { key: sql`list.due_on`, id },
};
const keysOfCourse: Record<'enrolled' | 'starts', Key> = {
  enrolled: { key: sql`its.enrolled_at`, id: sql`its.enrolment_id` },
  starts: { key: sql`its.starts_on`, id: sql`its.enrolment_id` },
};

type Condition = { is: RawBuilder<unknown>; indexed: boolean };

/**
 * The condition of a state, for which a partial index has the enrolments in their order. Null for states without an
 * index.
 */
function stateFits(
  state: EnrolmentState | null,
  { sort, today, begun }: { sort: EnrolmentView['sort']; today: Day; begun: readonly number[] },
): Condition | null {
  const usual = sort === 'enrolled';
  switch (state) {
    case 'unpaid':
      return { is: sql`list.balance_cents > 0`, indexed: usual || sort === 'owed' || sort === 'due' };
    case 'overpaid':
      return { is: sql`list.balance_cents < 0`, indexed: usual || sort === 'owed' };
    case 'overdue':
      return { is: sql`list.due_on < ${today}`, indexed: usual || sort === 'due' };
    // A name is asked for until the course begins; those who were erased had one.
    case 'unnamed': {
      const is = sql`list.name_missing and (list.starts_on >= ${today}
        or list.enrolment_id = any(${[...begun]}::bigint[]))`;
      return { is, indexed: sort === 'starts' };
    }
    case 'waiting':
      return { is: sql`list.waiting`, indexed: usual };
    case 'choosing':
      return { is: sql`list.choosing`, indexed: usual };
    case 'session':
      return { is: sql`list.from_session`, indexed: usual };
    case 'cancelled':
      return { is: sql`list.cancelled`, indexed: usual };
    case 'below':
    case null:
      return null;
  }
}

function days(values: EnrolmentView['values'], sort: EnrolmentView['sort']): Condition[] {
  const startOf = (day: Day) => sql`(${day}::date)::timestamp at time zone 'Australia/Brisbane'`;
  const enrolled = sort === 'enrolled';
  const starts = sort === 'starts';
  return [
    ...(values['enrolled-from']
      ? [{ is: sql`list.enrolled_at >= ${startOf(values['enrolled-from'])}`, indexed: enrolled }]
      : []),
    ...(values['enrolled-until']
      ? [{ is: sql`list.enrolled_at < ${startOf(values['enrolled-until'])} + interval '1 day'`, indexed: enrolled }]
      : []),
    ...(values['starts-from'] ? [{ is: sql`list.starts_on >= ${values['starts-from']}::date`, indexed: starts }] : []),
    ...(values['starts-before']
      ? [{ is: sql`list.starts_on < ${values['starts-before']}::date`, indexed: starts }]
      : []),
  ];
}

const ofCourse = (courseId: number) => sql`exists (select from enrolment_courses
  where enrolment_courses.enrolment_id = list.enrolment_id and course_id = ${courseId})`;

/**
 * The ids of enrolments that have every word at the beginning of one of theirs; the condition instead where more than
 * 2,000 have; null without words.
 */
async function foundByWords(db: Db, search: string): Promise<number[] | RawBuilder<unknown> | null> {
  const words = searchWords(search);
  if (words.length === 0) return null;
  const all = sql`to_tsquery('simple', ${words.join(' & ')})`;
  const telling = words.filter((word) => !inEvery.test(word));
  const fit = await wordsFit(db, 'enrolment_index', telling);
  // Collecting the enrolments of a common word takes longer than the page, only to find that they are too many.
  if (fit && fit.haveAll <= mostFound) {
    // The rest is asked of those that the index finds, which it does not do by a value that may be null.
    const { rows } = await sql<{ id: number }>`select enrolment_id as id from enrolment_index
      where ${fit.indexed} and coalesce(words @@ ${all}, false)
      limit ${mostFound + 1}`.execute(db);
    if (rows.length <= mostFound) return rows.map(({ id }) => id);
  }
  return sql`(select words @@ ${all} from enrolment_index where enrolment_index.enrolment_id = list.enrolment_id)`;
}

/**
 * The beginnings of `BB-7KQ2MX` and `INV-00042`: every enrolment has such words, and the index would collect them all.
 */
const inEvery = /^'(bb|in|inv)':\*$/i;

async function inSession(db: Db, slug: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct enrolment_id as id from places
    where training_session_id = (select id from training_sessions where slug = ${slug} or id in
      (select training_session_id from training_session_aliases where alias = ${slug}) limit 1) limit ${mostFound}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Of the 500 enrolments without a name that began last, those with another course to come whose attendee has none. */
async function begunWithNamesToCome(db: Db, today: Day): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select enrolment_id as id from (
      select enrolment_id from enrolment_list where name_missing and starts_on < ${today}
        order by starts_on desc, enrolment_id desc limit 500) as begun
    where ${unnamedFrom(sql`begun.enrolment_id`, today)} is not null`.execute(db);
  return rows.map(({ id: its }) => its);
}

/** Enrolments with a place in a session to come that has too few attendees now (P39). */
async function belowMinimum(db: Db, today: Day): Promise<number[]> {
  const sessions = await sessionsBelowMinimum(db, today);
  const { rows } = await sql<{ id: number }>`select distinct enrolment_id as id from places
    where training_session_id = any(${sessions.map(({ id }) => id)}::bigint[]) and state = 'active'
    limit ${mostFound}`.execute(db);
  return rows.map(({ id }) => id);
}
