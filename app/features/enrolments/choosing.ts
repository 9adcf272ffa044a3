import { addDays, type Day } from '#app/lib/dates.ts';
import type { Place } from './enrolment.ts';

/** For how long a buyer may choose at most when the academy cancelled or moved a session (P40). */
export const daysToChoose = 14;

/**
 * The last day on which a buyer may choose when the academy cancels a session or moves it on `today` (P40): 14 days
 * later, or the eve of the first day when that is earlier. Of one that has begun it is 14 days later: who sits in the class
 * that is cancelled would otherwise lose the choice at midnight.
 */
export function chooseUntil(today: Day, firstDay: Day): Day {
  if (firstDay <= today) return addDays(today, daysToChoose);
  const [earlier = today] = [addDays(today, daysToChoose), addDays(firstDay, -1)].sort();
  return earlier;
}

/**
 * The choice that the buyer of a place has on a day (P40), null for none. If the session takes place, the choice ends
 * with `chooseBy`, and a silent buyer keeps the place. If it was cancelled, the choice stays open until the buyer
 * chooses or the place is refunded.
 */
export function openChoice(
  { state, session, chooseBy, chooseWhy }: Pick<Place, 'state' | 'session' | 'chooseBy' | 'chooseWhy'>,
  today: Day,
): { by: Day; why: NonNullable<Place['chooseWhy']> } | null {
  if (state !== 'active' || chooseBy === null || chooseWhy === null) return null;
  return chooseBy >= today || session?.state === 'cancelled' ? { by: chooseBy, why: chooseWhy } : null;
}
