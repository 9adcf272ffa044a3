import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Keyset } from '#app/db/keyset.server.ts';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { hasDayIn } from '#app/features/course-dates/under-way.server.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { ListView } from '#app/ui/staff/list-address.ts';
import { courseDatesBelowMinimum, courseDatesWithoutJoiningDetails } from './course-dates-for-staff.server.ts';

type CourseDateState = 'undecided' | 'below' | 'joining-details' | 'past';
/** A view of the list of course dates; `course` is a slug. */
export type CourseDateView = ListView<
  { readonly state: CourseDateState | null } & Readonly<
    Record<'course' | 'starts-from' | 'starts-before', string | null>
  >
>;

/** The course dates of a view that the person may see. */
export async function courseDateKeyset(
  db: Db,
  actor: StaffActor,
  { search, values }: CourseDateView,
  today: Day,
): Promise<Keyset> {
  const only = onlyCourseDatesOf(actor);
  const { state, course, 'starts-from': from, 'starts-before': before } = values;
  const words = search.split(/\s+/).filter((word) => word !== '');
  const waiting = await idsWaiting(db, state, today);
  return {
    from: sql`course_dates course_date`,
    key: sql`course_date.starts_on`,
    id: sql`course_date.id`,
    kind: 'day',
    where: [
      ...(waiting ? [sql`course_date.id = any(${waiting}::bigint[])`] : []),
      ...(state === null
        ? [sql`course_date.starts_on >= ${await earliestOn(db, today)}`, sql`course_date.ends_on >= ${today}`]
        : []),
      ...(state === 'undecided'
        ? [
            sql`(course_date.ends_on >= ${today} or exists (
              select from course_date_seats its where its.course_date_id = course_date.id and its.sold > 0))`,
          ]
        : []),
      ...(state === 'past' ? [sql`course_date.starts_on < ${today} and course_date.ends_on < ${today}`] : []),
      ...(from ? [sql`course_date.starts_on >= ${from}`] : []),
      ...(before ? [sql`course_date.starts_on < ${before}`] : []),
      ...(course ? [sql`course_date.course_id = ${(await findCourse(db, course))?.id ?? 0}`] : []),
      ...(only ? [sql`course_date.instructor_slug = any(${[...only]}::text[])`] : []),
      ...(state === 'undecided' ? [sql`course_date.state = 'tentative'`] : []),
      ...words.map(
        (
          word,
        ) => sql`strpos(lower(concat_ws(' ', (select title from courses where id = course_date.course_id), course_date.slug,
          course_date.venue, (select name from instructors where slug = course_date.instructor_slug))), lower(${word})) > 0`,
      ),
    ],
  };
}

/** The first day of the earliest date that is held on a day, or that day: what began before is over, and is not read. */
async function earliestOn(db: Db, today: Day): Promise<Day> {
  // Not the bare column: the planner would look for the least one in the order of its index, among all that are over.
  const { rows } = await sql<{ first: Day | null }>`
    select min(starts_on + 0) as first from course_dates where ${hasDayIn(today)}`.execute(db);
  return rows[0]?.first ?? today;
}

/** The course dates that wait for staff for the reason of the view; null for other views. */
async function idsWaiting(db: Db, state: CourseDateState | null, today: Day): Promise<number[] | null> {
  if (state !== 'below' && state !== 'joining-details') return null;
  const found =
    state === 'below' ? await courseDatesBelowMinimum(db, today) : await courseDatesWithoutJoiningDetails(db, today);
  return found.map(({ id }) => id);
}
