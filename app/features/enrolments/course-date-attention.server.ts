import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { joiningDetailsKnown } from '#app/features/course-dates/joining-details.server.ts';
import { missingJoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { lacksPeople } from '#app/features/course-dates/lacks-people.ts';
import { businessDaysBefore, queenslandHolidays } from '#app/lib/business-days.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/**
 * Confirmed course dates to come that have too few attendees (P39), by start; without those that staff decided to hold. `today` is the academy's day.
 */
export async function courseDatesBelowMinimum(db: Db, today: Day) {
  return await upcoming(db, today)
    .innerJoin('course_date_seats', 'course_date_seats.course_date_id', 'course_dates.id')
    .select(['minimum', 'sold', 'confirmed_on as confirmedOn'])
    .where(lacksPeople(today))
    .where('starts_on', '>', today)
    .execute();
}

/** How many business days before the first day staff are asked for a room or link that is missing (P39). */
const askDaysBefore = 3;
/** No run of public holidays and weekends is longer. */
const mostDaysBefore = 14;

/**
 * Course dates with attendees that start within three business days and have no room or no link yet, by start, with the
 * missing parts in words; none that began before `today`. With `most` the first so many.
 */
export async function courseDatesWithoutJoiningDetails(db: Db, today: Day, most?: number) {
  const rows = await upcoming(db, today)
    .select(['delivery', 'room', 'street', 'joining_link as joiningLink'])
    .where('course_dates.state', '<>', 'cancelled')
    .where('starts_on', '<=', addDays(today, mostDaysBefore))
    .where(({ not }) => not(joiningDetailsKnown('course_dates')))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .whereRef('course_date_id', '=', 'course_dates.id')
          .where('places.state', '=', 'active'),
      ),
    )
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
  if (rows.length === 0) return [];
  const { holidays } = await readDocuments(db, ['holidays']);
  const closed = queenslandHolidays(holidays);
  return rows
    .filter(({ startsOn }) => today >= businessDaysBefore(startsOn, askDaysBefore, closed))
    .map(({ delivery, ...row }) => ({
      ...row,
      missing: missingJoiningDetails({ ...row, delivery }),
    }));
}

function upcoming(db: Db, today: Day) {
  return db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['course_dates.id', 'course_dates.slug', 'courses.title'])
    .select(['starts_on as startsOn', 'ends_on as endsOn'])
    .where('starts_on', '>=', today)
    .orderBy('starts_on')
    .orderBy('course_dates.id');
}
