import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
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
