import { type RawBuilder, sql } from 'kysely';
import type { Day } from '#app/lib/dates.ts';

/**
 * The first day, from a day on, of an active place of an enrolment whose attendee has no name; `infinity` for a place
 * without a date, null for none. Dates that the academy cancelled do not count. `enrolment` is the column of its id.
 */
export const unnamedFrom = (enrolment: RawBuilder<unknown>, from: Day): RawBuilder<Day | null> => sql<Day | null>`(
  select min(coalesce(course_date.starts_on, place.guided_from, 'infinity'))
  from places place join attendees attendee on attendee.id = place.attendee_id
    left join course_dates course_date on course_date.id = place.course_date_id
  where place.enrolment_id = ${enrolment} and place.state = 'active' and attendee.name is null
    and course_date.state is distinct from 'cancelled'
    and coalesce(course_date.starts_on, place.guided_from, 'infinity') >= ${from}::date)`;
