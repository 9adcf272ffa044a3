import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { KeptSeats } from './kept-seats.ts';

/** The seats that are kept now, by the id of the training session; only where there are any. Of all when `ids` is left out. */
export async function readKeptSeats(trx: Db, ids?: readonly number[]): Promise<Map<number, KeptSeats>> {
  const sum = (purpose: string) => sql<number>`(coalesce(sum(seats) filter (where purpose = ${purpose}), 0))::integer`;
  const rows = await trx
    .selectFrom('seat_holds')
    .select('training_session_id as id')
    .select([
      sum('enrolment').as('held'),
      sql<Date | null>`max(expires_at) filter (where purpose = 'enrolment')`.as('heldUntil'),
      sum('offer').as('offered'),
      sum('quote').as('quoted'),
    ])
    .where('ended_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('training_session_id', 'in', [0, ...(ids ?? [])]))
    .groupBy('training_session_id')
    .execute();
  return new Map(rows.map(({ id, ...kept }) => [id, kept]));
}

/** Free seats reserved for the next entries on a waiting list; computed only if somebody waits for the course. */
const reserved = sql`case when exists (select from waiting_entries
    where waiting_entries.course_id = training_sessions.course_id and closed_at is null)
  then seats_reserved(training_sessions.id) else 0 end`;

/**
 * For queries of `training_sessions`: seats that anybody may take. That is the capacity less seats sold, held, offered
 * and reserved for a waiting list (P48), so that a seat that comes free goes to the waiting list first.
 */
export const seatsLeft = sql<number>`(capacity - (select sold + held + offered from session_seats
  where training_session_id = training_sessions.id) - ${reserved})::integer`.as('left');

/** For queries of `training_sessions`: free seats reserved for the next entries on a waiting list (P48). */
export const seatsReserved = sql<number>`${reserved}`.as('reserved');

/**
 * For queries of training sessions, by the name that they have there: those that take enrolments on a day in Brisbane,
 * seats apart. It is `takesEnrolments` (P39); null where the query joins none.
 */
export function takesEnrolmentsOn(today: Day, name = 'training_sessions') {
  const of = (column: string) => sql.ref(`${name}.${column}`);
  return sql<boolean>`(${of('state')} <> 'cancelled'
    and ${of('enrolment_ends_on')} >= ${today} and ${of('starts_on')} >= ${today})`;
}

/** For queries of `training_sessions`: seats sold and not given back. */
export const seatsSold = sql<number>`(select sold from session_seats
  where training_session_id = training_sessions.id)`.as('sold');
