import type { RefundablePlace, Study } from '#app/features/money/refund-ladder.ts';
import { type Day, dayIn } from '#app/lib/dates.ts';
import { openChoice } from './choosing.ts';
import type { Circumstances } from './circumstances.ts';
import type { Enrolment, Place } from './enrolment.ts';

/**
 * A place as the refund ladder takes it (P40), for the academy's time `now`. Stored moments are true times: they are put
 * on the academy's clock, which a setting may fix, by how long ago they are.
 * `chargedCents` is what its invoice charges after adjustment notes.
 */
export function refundablePlace(
  { comboId, ladder, places }: Pick<Enrolment, 'comboId' | 'ladder' | 'places'>,
  place: Place,
  { now, at, chargedCents = place.amountCents }: Pick<Circumstances, 'now' | 'at'> & { chargedCents?: number },
): RefundablePlace {
  const today = dayIn('Australia/Brisbane', now);
  const onClock = (moment: Date) => onAcademyClock({ now, at }, moment);
  return {
    ladder,
    amountCents: chargedCents,
    placedAt: onClock(place.firstPlacedAt),
    study: studyOf(place),
    moves: place.moves.map(({ at: moved, firstDay, state }) => ({
      at: onClock(new Date(moved)),
      from: { way: 'session', firstDay, state },
    })),
    academyChanged: openChoice(place, today) !== null || (comboId !== null && goesToo(places, place, today)),
  };
}

/** A stored moment, which is a true time, on the academy's clock, which a setting may fix: as long ago as it is. */
export const onAcademyClock = ({ now, at }: Pick<Circumstances, 'now' | 'at'>, moment: Date): Date =>
  new Date(now.getTime() - (at.getTime() - moment.getTime()));

/** In a combo of which the academy cancelled or moved one course, those that have not begun may go too (P40). */
function goesToo(places: readonly Place[], place: Place, today: Day): boolean {
  const changed = places.some((other) => other.attendee.id === place.attendee.id && openChoice(other, today) !== null);
  return changed && modulesOpened(place) === 0 && (firstDayOf(place) ?? today) >= today;
}

/** The first day of a place; null when it has none yet. */
export function firstDayOf(place: Place): Day | null {
  return place.way === 'session' ? place.session.startsOn : place.guidedFrom;
}

/** How many modules of a guided place were opened (P40). */
export const modulesOpened = ({ modules }: Pick<Place, 'modules'>): number =>
  modules.filter(({ openedAt }) => openedAt !== null).length;

function studyOf(place: Place): Study {
  if (place.way === 'guided') {
    return {
      way: 'guided',
      from: place.guidedFrom,
      modules: place.modules.length,
      modulesOpened: modulesOpened(place),
    };
  }
  if (place.way === 'next-date') return { way: 'next-date' };
  return { way: 'session', firstDay: place.session.startsOn, state: place.session.state };
}
