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
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, daysBetween, mondayOf, shortMonth } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';

type Row = {
  state: string;
  decided_by: Day | null;
  left: number;
  waiting: number;
  lacks_people: boolean;
};

/** The one thing to know of a course date to come: a decision, too few or too many people, or that it is confirmed. */
export function remarkOf(row: Row, today: Day): { text: string; late: boolean } {
  const queue = row.waiting > 0 ? `${row.waiting} waiting` : '';
  if (row.state === 'tentative' && row.decided_by !== null) {
    const late = daysBetween(row.decided_by, today);
    if (late > 0) return { text: `Decide: ${late} ${late === 1 ? 'day' : 'days'} late`, late: true };
    if (late === 0) return { text: 'Decide today', late: true };
    return { text: `Decide ${shortDay(row.decided_by)}`, late: false };
  }
  if (row.lacks_people) return { text: 'Below minimum', late: true };
  if (row.left < 1) {
    return { text: ['Full', queue].filter((part) => part !== '').join(', '), late: false };
  }
  return { text: queue || 'Confirmed', late: false };
}

/** A public holiday of Queensland. */
type Holiday = { name: string; day: Day };

/** As many dates of a week are shown, and of an academy with more than `mostInAll` dates as many as `mostOfMany`. */
const mostOfAWeek = 12;
const mostInAll = 60;
const mostOfMany = 6;

/** The Mondays of the weeks from that of tomorrow until a day. */
function mondaysUntil(last: Day, today: Day): Day[] {
  const mondays: Day[] = [];
  for (let monday = mondayOf(addDays(today, 1)); monday <= last; monday = addDays(monday, 7)) mondays.push(monday);
  return mondays;
}

/**
 * Course dates by the week they start in, from the week of tomorrow on; each with its public holidays, also where there
 * is no date. Of a week at most one date more than `mostOfAWeek` is given: `cut` says that not all are shown.
 */
export function weeksOf<Dated extends { startsOn: Day }>(
  dates: readonly Dated[],
  { today, last, holidays }: { today: Day; last: Day; holidays: readonly Holiday[] },
) {
  const most = dates.length > mostInAll ? mostOfMany : mostOfAWeek;
  return mondaysUntil(last, today).map((monday) => {
    const end = addDays(monday, 6);
    const closed = holidays
      .filter(({ day }) => monday <= day && day <= end && day > today)
      .sort((a, b) => compareText(a.day, b.day))
      .map(({ name, day }) => `${shortDay(day)}: ${name}`);
    const its = dates.filter(({ startsOn }) => monday <= startsOn && startsOn <= end);
    return {
      monday,
      label: `${Number(monday.slice(8))} ${shortMonth(monday)}`,
      dates: its.slice(0, most),
      cut: its.length > most,
      closed,
    };
  });
}

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
    title: nameWithin(row.title, 24),
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
