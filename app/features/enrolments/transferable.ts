import type { Day } from '#app/lib/dates.ts';
import { openChoice } from './choosing.ts';
import type { Place } from './enrolment.ts';

/** Whether its buyer may move a place to another date (P40); whether there is one is another question. */
export function isTransferable(place: Place, today: Day): boolean {
  const { state, session, freeMovesUsed } = place;
  if (state !== 'active' || session === null) return false;
  return openChoice(place, today) !== null || (session.startsOn > today && freeMovesUsed === 0);
}
