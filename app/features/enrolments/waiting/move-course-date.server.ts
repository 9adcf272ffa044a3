import type { Trx } from '#app/db/client.server.ts';
import { setHoldEnd } from '#app/features/course-dates/seats.server.ts';
import { moveCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { entriesFor } from './count-notified.server.ts';
import { queueOver } from './mails.server.ts';
import { offerEnd } from './offer-end.server.ts';
import { readEntry } from './queries.server.ts';

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
  const courseDateId = typeof move.courseDateId === 'number' ? move.courseDateId : move.courseDateId.id;
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
