import { confirmEntry, joinWaitingList, type WaitingRequest } from '#app/features/enrolments/waiting/entries.server.ts';
import type { Stage } from './stage.ts';

/** Somebody joins a waiting list, and confirms the address in the evening (P48). */
export async function joinList(stage: Stage, request: WaitingRequest): Promise<string | null> {
  const joined = await stage.transaction((trx) => joinWaitingList(trx, request, stage.moment()));
  if (!joined.ok) return null;
  stage.later(0, 22, async (then) => {
    const confirmed = await stage.transaction((trx) => confirmEntry(trx, joined.entryId, then));
    return confirmed.ok ? 'waiting entries confirmed' : null;
  });
  return 'waiting entries';
}
