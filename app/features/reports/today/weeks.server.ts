import { type ExpressionBuilder, sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { lacksPeople } from '#app/features/course-dates/rules.ts';
import { seatsLeft } from '#app/features/course-dates/seats.server.ts';
import { dayThere } from '#app/features/course-dates/under-way.server.ts';
import { seatsWaiting } from '#app/features/enrolments/waiting/queries.server.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { type Holiday, mondaysUntil, mostOfAWeek, remarkOf, weeksOf } from './weeks.ts';

/** How far ahead the first page looks. */
const weeksAhead = 6;

/**
 * The course dates of the next six weeks that the person may see, by week, with how full they are and public holidays: of
 * each week the first ones. Where a week has more, the sums say nothing.
 */
export async function nextWeeks(
  db: Db,
  actor: StaffActor,
  { now, holidays }: { now: Date; holidays: readonly Holiday[] },
) {
  const only = onlyCourseDatesOf(actor);
  const today = academyDay(now);
  const last = addDays(mondayOf(addDays(today, 1)), weeksAhead * 7 - 1);
  const mondays = mondaysUntil(last, today);
  const rows = await db
    .selectFrom(sql<{ monday: Day }>`unnest(${mondays}::date[])`.as<'week'>(sql`week(monday)`))
    .innerJoinLateral(
      (db) => datesOf(db, { now, last, only }).as('date'),
      (join) => join.onTrue(),
    )
    .select(columns.map((column) => `date.${column}` as const))
    .orderBy('starts_on')
    .orderBy('date.id')
    .execute();
  const dates = rows.map((row) => ({
    slug: row.slug,
    title: nameWithin(row.title, 28),
    whole: row.title,
    startsOn: row.starts_on,
    where: taughtText({ delivery: row.delivery, venue: row.venue }),
    sold: row.sold,
    held: row.held + row.offered,
    capacity: row.capacity,
    minimum: row.minimum,
    remark: remarkOf(row, today),
    to: href('/staff/course-dates/:slug', { slug: row.slug }),
  }));
  const weeks = weeksOf(dates, { today, last, holidays });
  const more = weeks.some(({ cut }) => cut);
  return {
    zones: [...new Set(rows.map(({ zone }) => zone))],
    weeks,
    count: dates.length,
    more,
    seats: more
      ? null
      : {
          sold: dates.reduce((sum, { sold }) => sum + sold, 0),
          all: dates.reduce((sum, { capacity }) => sum + capacity, 0),
        },
    pairs: dates.some(({ capacity }) => capacity > 24),
  };
}
export type NextWeeks = Awaited<ReturnType<typeof nextWeeks>>;

// Named one by one: a statement that selects every column is not prepared.
const columns = [
  ...(['id', 'slug', 'title', 'starts_on', 'zone', 'delivery', 'venue', 'state', 'decided_by'] as const),
  ...(['capacity', 'minimum', 'sold', 'held', 'offered', 'lacks_people', 'left', 'waiting'] as const),
];

/** The first course dates of the week of `week.monday`, one more than are shown. */
const datesOf = (
  db: ExpressionBuilder<DB & { week: { monday: Day } }, 'week'>,
  { now, last, only }: { now: Date; last: Day; only: readonly string[] | null },
) =>
  db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .innerJoin('course_date_seats', 'course_date_id', 'course_dates.id')
    .select([
      'course_dates.id',
      'course_dates.slug',
      'courses.title',
      'starts_on',
      'zone',
      'delivery',
      'venue',
      'state',
      'decided_by',
    ])
    .select([
      'capacity',
      'minimum',
      'sold',
      'held',
      'offered',
      lacksPeople(academyDay(now)).as('lacks_people'),
      seatsLeft,
      seatsWaiting,
    ])
    .where('state', '<>', 'cancelled')
    .whereRef('starts_on', '>=', 'week.monday')
    .where('starts_on', '<', sql<Day>`week.monday + 7`)
    // What has begun on its own clock is among the classes of today.
    .where('starts_on', '>', dayThere(now))
    .where('starts_on', '<=', last)
    .$if(only !== null, (query) => query.where('course_dates.instructor_slug', 'in', ['', ...(only ?? [])]))
    .orderBy('starts_on')
    .orderBy('course_dates.id')
    .limit(mostOfAWeek + 1);
