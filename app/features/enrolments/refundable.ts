import type { RefundablePlace, Study } from '#app/features/money/refund-ladder.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { daysToChoose, openChoice } from './choosing.ts';
import type { Enrolment, Place } from './enrolment.ts';

/**
 * A place as the refund ladder takes it (P40) at `now`. `chargedCents` is what its invoice charges after adjustment notes,
 * `takenOffCents` what staff had taken off before it was cancelled, `together` are the places that are cancelled in the same
 * act.
 */
export function refundablePlace(
  { comboId, ladder, places }: Pick<Enrolment, 'comboId' | 'ladder' | 'places'>,
  place: Place,
  {
    now,
    chargedCents,
    takenOffCents = 0,
    together = [],
  }: Pick<Moment, 'now'> & {
    chargedCents: number;
    takenOffCents?: number;
    together?: readonly Place[] | undefined;
  },
): RefundablePlace {
  const today = academyDay(now);
  return {
    ladder,
    amountCents: chargedCents,
    wholeCents: Math.max(place.amountCents - takenOffCents, chargedCents),
    placedAt: place.boundAt,
    study: studyOf(place),
    moves: place.moves.map(({ at: moved, firstDay, state }) => ({
      at: new Date(moved),
      from: { way: 'session', firstDay, state },
    })),
    academyChanged:
      openChoice(place, today) !== null || (comboId !== null && goesToo(place, places, { together, today })),
  };
}

/**
 * Courses of a combo that have not begun may go too when the academy cancelled or moved another one (P40): together with
 * that one, or in the two weeks after it was given back, or refunded because nobody chose. An attendee who keeps that one
 * has the ladder for the others.
 */
function goesToo(
  place: Place,
  places: readonly Place[],
  { together, today }: { together: readonly Place[]; today: Day },
): boolean {
  const withIt = places.some(
    (other) =>
      other.attendee.seat === place.attendee.seat && together.includes(other) && openChoice(other, today) !== null,
  );
  return (withIt && !hasBegun(place, today)) || lastDayToFollow(place, places, today) !== null;
}

/**
 * The last day on which a course of a combo may follow another that the academy changed and that was given back, or was
 * refunded because nobody chose (P40): two weeks after it, and before its own first day. Null when it may not.
 */
export function lastDayToFollow(place: Place, places: readonly Place[], today: Day): Day | null {
  const [latest] = places
    .flatMap(({ attendee, cancelledWhy, wentAlong, endedOn }) => {
      const changed = (cancelledWhy === 'session' || cancelledWhy === 'lapsed') && !wentAlong;
      return attendee.seat === place.attendee.seat && changed && endedOn !== null ? addDays(endedOn, daysToChoose) : [];
    })
    .toSorted()
    .toReversed();
  if (latest === undefined || latest < today || hasBegun(place, today)) return null;
  const first = firstDayOf(place);
  return first !== null && first <= latest ? addDays(first, -1) : latest;
}

/** On its first day a course has begun, and so has guided study with an opened module. */
export const hasBegun = (place: Place, today: Day): boolean =>
  modulesOpened(place) > 0 || (firstDayOf(place) ?? '9999') <= today;

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
