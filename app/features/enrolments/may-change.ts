import { isAccessOver } from '#app/features/money/guided-access.ts';
import { hasBegun, type Study } from '#app/features/money/refund.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { Enrolment, Place, PlaceCourseDate } from './enrolment.ts';

/** `yes`, or why not. */
export type MayChange = 'yes' | 'cancelled' | 'begun' | 'over' | 'no-date' | 'moved-before' | 'below-minimum';

/**
 * Who may cancel a place on a day (P99, P100). A buyer: until its first day; guided study, which refunds unopened
 * modules, until access is over, but in a combo until it begins; a date that was never confirmed, or that we cancelled
 * or moved, at any time while they may choose. Staff: every place that is not cancelled.
 */
export function mayCancel(
  { comboId }: Pick<Enrolment, 'comboId'>,
  place: Place,
  by: 'buyer' | 'staff',
  today: Day,
): MayChange {
  if (place.state === 'cancelled') return 'cancelled';
  if (by === 'staff') return 'yes';
  if (openChoice(place, today) !== null) return 'yes';
  if (place.state === 'completed' || (place.guidedFrom !== null && isAccessOver(place.guidedFrom, today)))
    return 'over';
  const opensUp = place.way === 'guided' && comboId === null;
  return !opensUp && isBegun(place, today) ? 'begun' : 'yes';
}

/** Who may move a place to another date of its course (P100): a buyer once before the first day; staff always. */
export function mayMove(place: Place, by: 'buyer' | 'staff', today: Day): MayChange {
  if (place.state !== 'active') return 'cancelled';
  if (place.way !== 'date') return 'no-date';
  if (by === 'staff' || openChoice(place, today) !== null) return 'yes';
  if (place.courseDate.startsOn <= today) return 'begun';
  if (minimumBroken([place], today) !== null) return 'below-minimum';
  return place.moveCap === null ? 'yes' : 'moved-before';
}

/**
 * The minimum of a private date (P114) that too few would be left on if these places go; null while there is none. Its
 * buyers leave nobody or the minimum, unless the academy changed the date; anything else is up to staff.
 */
export function minimumBroken(places: readonly Place[], today: Day): number | null {
  const bound = places.filter((place) => openChoice(place, today) === null);
  for (const { courseDate } of bound) {
    if (!courseDate || courseDate.privateSold === null) continue;
    const left = courseDate.privateSold - bound.filter((other) => other.courseDate?.id === courseDate.id).length;
    if (left > 0 && left < courseDate.minimum) return courseDate.minimum;
  }
  return null;
}

/** What a buyer reads when too few would be left on a private date. */
export const minimumText = (minimum: number) =>
  `This date is held for ${minimum} or more of your people, so no fewer can stay on it. Give the place to somebody else, cancel all of them together, or call us.`;

/** Whether a place may be given to somebody else (P100): until its first day, or its first module, also by staff. */
export function mayGiveAway(place: Place, today: Day): MayChange {
  if (place.state === 'cancelled') return 'cancelled';
  if (place.state === 'completed') return 'over';
  return isKept(place, today) ? 'begun' : 'yes';
}

/** Whether a place stays with who had it on its first day, or opened its first module: what was studied is theirs. */
export const isKept = (place: Place, today: Day): boolean =>
  place.way === 'guided' ? modulesOpened(place) > 0 : place.courseDate !== null && place.courseDate.startsOn <= today;

/** Whether the last class of a date has ended. */
export const isOver = ({ endsOn, endsAt, zone }: PlaceCourseDate, now: Date): boolean =>
  instantOf(endsOn, endsAt, zone) <= now;

/** The most days for a buyer to choose after the academy cancelled or moved a date (P100). */
const daysToChoose = 14;

/**
 * The last day on which a buyer may choose when the academy cancels a date or moves it on `today` (P100): 14 days later,
 * or the eve of the first day when that is earlier. Of one that has begun it is 14 days later: who sits in the class that
 * is cancelled would otherwise lose the choice at midnight.
 */
export function chooseUntil(today: Day, firstDay: Day): Day {
  if (firstDay <= today) return addDays(today, daysToChoose);
  const [earlier = today] = [addDays(today, daysToChoose), addDays(firstDay, -1)].sort();
  return earlier;
}

/**
 * The choice that the buyer of a place has on a day (P100), null for none. If the date takes place, the choice ends with
 * `chooseBy`, and a silent buyer keeps the place. If it was cancelled, the choice stays open until the buyer chooses or
 * the place is refunded.
 */
export function openChoice(
  { state, courseDate, chooseBy, chooseWhy }: Pick<Place, 'state' | 'courseDate' | 'chooseBy' | 'chooseWhy'>,
  today: Day,
): { by: Day; why: NonNullable<Place['chooseWhy']> } | null {
  if (state !== 'active' || chooseBy === null || chooseWhy === null) return null;
  return chooseBy >= today || courseDate?.state === 'cancelled' ? { by: chooseBy, why: chooseWhy } : null;
}

/** Whether a course has begun on a day (P99). */
export const isBegun = (place: Place, today: Day): boolean => hasBegun(studyOf(place), today);

/** The first day of a place; null when it has none yet. */
export const firstDayOf = (place: Place): Day | null => place.courseDate?.startsOn ?? place.guidedFrom;

/** How many modules of a guided place were opened (P100). */
export const modulesOpened = ({ modules }: Pick<Place, 'modules'>): number =>
  modules.filter(({ openedAt }) => openedAt !== null).length;

/** How a place is taken, as its refund depends on it. */
export function studyOf(place: Place): Study {
  if (place.way === 'next-date') return { way: 'next-date' };
  if (place.way === 'date') return { way: 'date', firstDay: place.courseDate.startsOn, state: place.courseDate.state };
  const { guidedFrom: from, modules } = place;
  return { way: 'guided', from, modules: modules.length, modulesOpened: modulesOpened(place) };
}
