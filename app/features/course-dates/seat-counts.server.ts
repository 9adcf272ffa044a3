import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { KeptSeats } from './kept-seats.ts';

/** The seats that are kept now, by the id of the course date; only where there are any. Of all when `ids` is left out. */
export async function readKeptSeats(trx: Db, ids?: readonly number[]): Promise<Map<number, KeptSeats>> {
  const sum = (purpose: string) => sql<number>`(coalesce(sum(seats) filter (where purpose = ${purpose}), 0))::integer`;
  const rows = await trx
    .selectFrom('seat_holds')
    .select('course_date_id as id')
    .select([
      sum('enrolment').as('held'),
      sql<Date | null>`max(expires_at) filter (where purpose = 'enrolment')`.as('heldUntil'),
      sum('offer').as('offered'),
      sum('quote').as('quoted'),
    ])
    .where('ended_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('course_date_id', 'in', [0, ...(ids ?? [])]))
    .groupBy('course_date_id')
    .execute();
  return new Map(rows.map(({ id, ...kept }) => [id, kept]));
}

/** Free seats reserved for the next entries on a waiting list; computed only if somebody waits for the course. */
const reserved = sql`case when exists (select from waiting_entries
    where waiting_entries.course_id = course_dates.course_id and closed_at is null)
  then seats_reserved(course_dates.id) else 0 end`;

/**
 * For queries of `course_dates`: seats that anybody may take. That is the capacity less seats sold, held, offered
 * and reserved for a waiting list (P48), so that a seat that comes free goes to the waiting list first.
 */
export const seatsLeft = sql<number>`(capacity - (select sold + held + offered from course_date_seats
  where course_date_id = course_dates.id) - ${reserved})::integer`.as('left');

/** For queries of `course_dates`: free seats reserved for the next entries on a waiting list (P48). */
export const seatsReserved = sql<number>`${reserved}`.as('reserved');

/**
 * For queries of course dates, by the name that they have there: those that take enrolments on a day in Brisbane,
 * seats apart. It is `takesEnrolments` (P39); null where the query joins none.
 */
export function takesEnrolmentsOn(today: Day, name = 'course_dates') {
  const of = (column: string) => sql.ref(`${name}.${column}`);
  return sql<boolean>`(${of('state')} <> 'cancelled'
    and ${of('enrolment_ends_on')} >= ${today} and ${of('starts_on')} >= ${today})`;
}

/** For queries of `course_dates`: seats sold and not given back. */
export const seatsSold = sql<number>`(select sold from course_date_seats
  where course_date_id = course_dates.id)`.as('sold');
