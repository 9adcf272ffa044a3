import type { Trx } from '#app/db/client.server.ts';
import { moveSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { queueOver } from './mails.server.ts';
import { readEntry } from './read-entry.server.ts';

type Move = Parameters<typeof moveSessionAndAsk>[1];

/**
 * Staff change a training session, with all that means for those in it (P40). Of another day, place or way to attend
 * everybody is told who waits for it or was offered seats in it: they may want to leave the list (P48).
 */
export async function moveSessionForAll(
  trx: Trx,
  move: Move,
  moment: Moment,
): Promise<Awaited<ReturnType<typeof moveSessionAndAsk>>> {
  const result = await moveSessionAndAsk(trx, move, moment);
  if (!result.ok || result.change !== 'asks') return result;
  const sessionId = typeof move.sessionId === 'number' ? move.sessionId : move.sessionId.id;
  const offered = trx
    .selectFrom('waiting_offers')
    .select('entry_id')
    .where('training_session_id', '=', sessionId)
    .where('ended_at', 'is', null);
  const rows = await trx
    .selectFrom('waiting_entries')
    .select('id')
    .where('closed_at', 'is', null)
    .where((row) => row.or([row('training_session_id', '=', sessionId), row('id', 'in', offered)]))
    .orderBy('id')
    .execute();
  for (const { id } of rows) {
    const entry = await readEntry(trx, id);
    // An unconfirmed address gets no mail.
    if (entry?.confirmed) await queueOver(trx, entry, { why: 'moved', sessionId, waits: true }, moment);
  }
  return result;
}
