import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { type Keyset, keysetPage, listedPage } from '#app/db/keyset.server.ts';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { sessionsBelowMinimum, sessionsWithoutWayIn } from '#app/features/enrolments/session-attention.server.ts';
import { onlySessionsOf, type StaffActor } from '#app/features/people/actor.ts';
import { hasDayIn } from '#app/features/sessions/under-way.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { SessionView } from './session-filter.ts';
import { readSessions } from './sessions.server.ts';

const pageLength = 50;

/**
 * One page of the course dates of a view that the person may see, with where it stands (P78): those to come and running
 * unless the view names others. Each word of the search is a part of the course's title, the place or the instructor's
 * name.
 */
export async function listSessions(db: Db, actor: StaffActor, view: SessionView, today: Day) {
  const set = await sessionKeyset(db, actor, view, today);
  const reading = { ...view, length: pageLength };
  const { rows, ...page } = await listedPage(db, set, reading, (ids) => readSessions(db, actor, ids, today));
  return { sessions: rows, ...page };
}

/** All rows of a view, in pieces, for a file; the caller stops where it has enough. */
export async function* everySession(db: Db, actor: StaffActor, view: SessionView, today: Day, length = 1000) {
  const set = await sessionKeyset(db, actor, view, today);
  let cursor: SessionView['cursor'] = null;
  do {
    const { ids, older } = await keysetPage(db, set, { descending: view.descending, cursor, length });
    yield await readSessions(db, actor, ids, today);
    cursor = older;
  } while (cursor);
}

/** The course dates of a view that the person may see. */
export async function sessionKeyset(db: Db, actor: StaffActor, view: SessionView, today: Day): Promise<Keyset> {
  const only = onlySessionsOf(actor);
  const { state, course, 'starts-from': from, 'starts-before': before } = view.values;
  const words = view.search.split(/\s+/).filter((word) => word !== '');
  const waiting = await idsWaiting(db, state, today);
  return {
    from: sql`training_sessions session`,
    key: sql`session.starts_on`,
    id: sql`session.id`,
    kind: 'day',
    where: [
      ...(waiting ? [sql`session.id = any(${waiting}::bigint[])`] : []),
      ...(state === null
        ? [sql`session.starts_on >= ${await earliestOn(db, today)}`, sql`session.ends_on >= ${today}`]
        : []),
      ...(state === 'undecided'
        ? [
            sql`(session.ends_on >= ${today} or exists (
              select from session_seats its where its.training_session_id = session.id and its.sold > 0))`,
          ]
        : []),
      ...(state === 'past' ? [sql`session.starts_on < ${today} and session.ends_on < ${today}`] : []),
      ...(from ? [sql`session.starts_on >= ${from}`] : []),
      ...(before ? [sql`session.starts_on < ${before}`] : []),
      ...(course ? [sql`session.course_id = ${(await findCourse(db, course))?.id ?? 0}`] : []),
      ...(only ? [sql`session.instructor_slug = any(${[...only]}::text[])`] : []),
      ...(state === 'undecided' ? [sql`session.state = 'tentative'`] : []),
      ...words.map(
        (
          word,
        ) => sql`strpos(lower(concat_ws(' ', (select title from courses where id = session.course_id), session.slug,
          session.venue, (select name from instructors where slug = session.instructor_slug))), lower(${word})) > 0`,
      ),
    ],
  };
}

/** The first day of the earliest date that is held on a day, or that day: what began before is over, and is not read. */
async function earliestOn(db: Db, today: Day): Promise<Day> {
  // Not the bare column: the planner would look for the least one in the order of its index, among all that are over.
  const { rows } = await sql<{ first: Day | null }>`
    select min(starts_on + 0) as first from training_sessions where ${hasDayIn(today)}`.execute(db);
  return rows[0]?.first ?? today;
}

/** The sessions that wait for staff for the reason of the view; null for other views. */
async function idsWaiting(db: Db, state: string | null, today: Day): Promise<number[] | null> {
  if (state !== 'below' && state !== 'way-in') return null;
  const found = state === 'below' ? await sessionsBelowMinimum(db, today) : await sessionsWithoutWayIn(db, today);
  return found.map(({ id }) => id);
}
