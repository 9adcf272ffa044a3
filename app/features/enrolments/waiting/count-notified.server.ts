import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { takesEnrolmentsOn } from '#app/features/course-dates/seats.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { hasNoOffer, isConfirmed } from './queries.server.ts';
import { untoldOffers } from './untold-offers.server.ts';

/** The entries that wait for a course date or were offered seats in it; those with an unconfirmed address get no mail. */
export async function entriesFor(db: Db, courseDateId: number): Promise<number[]> {
  const offered = db
    .selectFrom('waiting_offers')
    .select('entry_id')
    .where('course_date_id', '=', courseDateId)
    .where('ended_at', 'is', null);
  const rows = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('closed_at', 'is', null)
    .where(isConfirmed)
    .where((row) => row.or([row('course_date_id', '=', courseDateId), row('id', 'in', offered)]))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The number of entries to which the job of the waiting lists writes about a course date, once a change of it is
 * committed.
 */
export type Notified = {
  /** Told that it is cancelled or closed, or that an offer of its seats is over. */
  over: number;
  /** Offered its seats. */
  offered: number;
};

/** Asks in the transaction of the change. */
export async function countNotified(trx: Trx, courseDateId: number, today: Day): Promise<Notified> {
  const takes = await trx
    .selectFrom('course_dates')
    .select('id')
    .where('id', '=', courseDateId)
    .where(takesEnrolmentsOn(today))
    .executeTakeFirst();
  if (takes) {
    const { rows } = await sql`select from waiting_turns(${courseDateId})`.execute(trx);
    return { over: 0, offered: rows.length };
  }
  // Offers of entries for the next date end; the entries stay.
  const ofOthers = await untoldOffers(trx)
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .select('entry_id as id')
    .where('waiting_offers.course_date_id', '=', courseDateId)
    .where('waiting_entries.course_date_id', 'is distinct from', courseDateId)
    .execute();
  const ofIt = await trx
    .selectFrom('waiting_entries')
    .select('id')
    .where('closed_at', 'is', null)
    .where('course_date_id', '=', courseDateId)
    .where(isConfirmed)
    .execute();
  return { over: new Set([...ofOthers, ...ofIt].map(({ id }) => id)).size, offered: 0 };
}

/** How many entries wait for the next date of courses, by course: they are offered seats of one as soon as it is made. */
export async function waitingForNextDate(db: Db, courseIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('waiting_entries')
    .select(({ fn }) => ['course_id as id', fn.countAll<number>().as('count')])
    .where('course_id', 'in', [0, ...courseIds])
    .where('course_date_id', 'is', null)
    .where('closed_at', 'is', null)
    .where('paused_at', 'is', null)
    .where(isConfirmed)
    .where(hasNoOffer)
    .groupBy('course_id')
    .execute();
  return new Map(rows.map(({ id, count }) => [id, count]));
}
