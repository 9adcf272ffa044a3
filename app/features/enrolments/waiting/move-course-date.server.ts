import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { setHoldEnd, takesEnrolmentsOn } from '#app/features/course-dates/seats.server.ts';
import { moveCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { queueOver } from './mails.server.ts';
import { offerEnd } from './offer-end.server.ts';
import { untoldOffers } from './offers.server.ts';
import { hasNoOffer, isConfirmed, readEntry } from './queries.server.ts';

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

type Move = Parameters<typeof moveCourseDateAndAsk>[1];

/**
 * Staff change a course date, with all that means for those in it (P40). Of another day, place or way to attend
 * everybody is told who waits for it or was offered seats in it: they may want to leave the list (P48). An offer ends with
 * the new end of enrolment at the latest, and has its 72 hours if the old one had cut them short.
 */
export async function moveCourseDateForAll(
  trx: Trx,
  move: Move,
  moment: Moment,
): Promise<Awaited<ReturnType<typeof moveCourseDateAndAsk>>> {
  const result = await moveCourseDateAndAsk(trx, move, moment);
  if (!result.ok) return result;
  const courseDateId = typeof move.courseDate === 'number' ? move.courseDate : move.courseDate.id;
  await timeAgain(trx, courseDateId, move.times);
  if (result.change !== 'asks') return result;
  for (const id of await entriesFor(trx, courseDateId)) {
    const entry = await readEntry(trx, id);
    if (entry) await queueOver(trx, entry, { why: 'moved', courseDateId, waits: true }, moment);
  }
  return result;
}

/** Sets the end of a course date's offers again; accepted offers lose nothing. The course date is locked. */
async function timeAgain(trx: Trx, courseDateId: number, { startDate, enrolmentEnds }: Move['times']): Promise<void> {
  const offers = await trx
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select(['hold_id', 'mailed_at', 'expires_at', 'draft_id'])
    .where('waiting_offers.course_date_id', '=', courseDateId)
    .where('waiting_offers.ended_at', 'is', null)
    .execute();
  for (const { hold_id, mailed_at, expires_at, draft_id } of offers) {
    if (mailed_at === null) continue;
    const end = offerEnd(mailed_at, { startsOn: startDate, enrolmentEndsOn: enrolmentEnds });
    const until = draft_id !== null && expires_at !== null && expires_at > end ? expires_at : end;
    await setHoldEnd(trx, hold_id, until);
  }
}
