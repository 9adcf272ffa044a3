import type { Trx } from '#app/db/client.server.ts';
import { moveSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { entriesFor } from './heard.server.ts';
import { queueOver } from './mails.server.ts';
import { offerEnd } from './offer-end.server.ts';
import { readEntry } from './read-entry.server.ts';

type Move = Parameters<typeof moveSessionAndAsk>[1];

/**
 * Staff change a training session, with all that means for those in it (P40). Of another day, place or way to attend
 * everybody is told who waits for it or was offered seats in it: they may want to leave the list (P48). An offer ends with
 * the new end of enrolment at the latest, and has its 72 hours if the old one had cut them short.
 */
export async function moveSessionForAll(
  trx: Trx,
  move: Move,
  moment: Moment,
): Promise<Awaited<ReturnType<typeof moveSessionAndAsk>>> {
  const result = await moveSessionAndAsk(trx, move, moment);
  if (!result.ok) return result;
  const sessionId = typeof move.sessionId === 'number' ? move.sessionId : move.sessionId.id;
  await timeAgain(trx, sessionId, move.times);
  if (result.change !== 'asks') return result;
  for (const id of await entriesFor(trx, sessionId)) {
    const entry = await readEntry(trx, id);
    if (entry) await queueOver(trx, entry, { why: 'moved', sessionId, waits: true }, moment);
  }
  return result;
}

/** Sets the end of a session's offers anew; of those accepted nothing is taken away. The session is locked. */
async function timeAgain(trx: Trx, sessionId: number, { startDate, enrolmentEnds }: Move['times']): Promise<void> {
  const offers = await trx
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select(['hold_id', 'mailed_at', 'expires_at', 'draft_id'])
    .where('waiting_offers.training_session_id', '=', sessionId)
    .where('waiting_offers.ended_at', 'is', null)
    .execute();
  for (const { hold_id, mailed_at, expires_at, draft_id } of offers) {
    if (mailed_at === null) continue;
    const end = offerEnd(mailed_at, { startsOn: startDate, enrolmentEndsOn: enrolmentEnds });
    const until = draft_id !== null && expires_at !== null && expires_at > end ? expires_at : end;
    await trx.updateTable('seat_holds').set({ expires_at: until }).where('id', '=', hold_id).execute();
  }
}
