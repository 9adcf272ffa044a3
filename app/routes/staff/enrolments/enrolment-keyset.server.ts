import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Keyset } from '#app/db/keyset.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { courseDatesBelowMinimum } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { type EnrolmentState, type EnrolmentView, enrolmentList } from './enrolment-filter.ts';

/** The enrolments of a view in its order. `today` is the academy's day. */
export async function enrolmentKeyset(
  db: Db,
  { search, values, sort }: Pick<EnrolmentView, 'search' | 'values' | 'sort'>,
  today: Day,
): Promise<Keyset> {
  const named = wordsFit(search, sql`list.words`);
  return {
    from: sql`enrolment_list list`,
    key: keys[sort],
    id: sql`list.enrolment_id`,
    kind: enrolmentList.sorts[sort].kind,
    where: [
      ...(named ? [named] : []),
      ...(values.state ? [await inState(db, values.state as EnrolmentState, today)] : []),
      ...(values.course ? [withPlace(sql`course_id = ${(await findCourse(db, values.course))?.id ?? 0}`)] : []),
      ...(values.courseDate ? [withPlace(ofCourseDate(values.courseDate))] : []),
      ...(values.paid ? [sql`list.paid_by @> array[${values.paid}]`] : []),
      ...(values['enrolled-from'] ? [sql`list.enrolled_at >= ${startOf(values['enrolled-from'])}`] : []),
      ...(values['enrolled-until']
        ? [sql`list.enrolled_at < ${startOf(values['enrolled-until'])} + interval '1 day'`]
        : []),
      ...(values['starts-from'] ? [sql`list.starts_on >= ${values['starts-from']}::date`] : []),
      ...(values['starts-before'] ? [sql`list.starts_on < ${values['starts-before']}::date`] : []),
      ...(sort === 'due' ? [sql`list.due_on is not null`] : []),
    ],
  };
}

const keys: Record<EnrolmentView['sort'], RawBuilder<unknown>> = {
  enrolled: sql`list.enrolled_at`,
  starts: sql`list.starts_on`,
  owed: sql`list.balance_cents`,
  due: sql`list.due_on`,
};

const startOf = (day: Day) => sql`(${day}::date)::timestamp at time zone 'Australia/Brisbane'`;

/** Enrolments with a place that meets a condition, cancelled places too. */
const withPlace = (is: RawBuilder<unknown>) =>
  sql`list.enrolment_id = any(array(select enrolment_id from places where ${is}))`;

/** Places in a course date, by the slug that it has or had. */
const ofCourseDate = (slug: string) => sql`course_date_id = (select id from course_dates
  where slug = ${slug} or aliases @> array[${slug}] order by slug = ${slug} desc limit 1)`;

async function inState(db: Db, state: EnrolmentState, today: Day): Promise<RawBuilder<unknown>> {
  switch (state) {
    case 'unpaid':
      return sql`list.balance_cents > 0`;
    case 'overpaid':
      return sql`list.balance_cents < 0`;
    case 'overdue':
      return sql`list.due_on < ${today}`;
    // A name is asked for until the course begins; those who were erased had one.
    case 'unnamed':
      return sql`list.unnamed_until >= ${today}`;
    case 'waiting':
      return sql`list.waiting`;
    case 'choosing':
      return sql`list.choosing`;
    case 'courseDate':
      return sql`list.from_course_date`;
    case 'cancelled':
      return sql`list.cancelled`;
    // A place in a course date to come that has too few attendees now (P39).
    case 'below': {
      const ids = (await courseDatesBelowMinimum(db, today)).map(({ id }) => id);
      return withPlace(sql`state = 'active' and course_date_id = any(${ids}::bigint[])`);
    }
  }
}
