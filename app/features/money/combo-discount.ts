import type { Cents } from '#app/lib/money.ts';

/** A place of one attendee in a combo, as far as the combo's discount goes. Cents, GST included. */
export type Discounted = {
  id: number;
  /** How much of its discount is charged after all. */
  withdrawnCents: Cents;
  /** How much of its discount may be charged after all: all of it for a kept place, of a cancelled one the part that had begun. */
  withdrawableCents: Cents;
};

/** A place that is being cancelled, with the refund of the ladder on its charge without `withdrawnCents`. */
export type GivenUp = Discounted & { ladderCents: Cents };

/**
 * How much of a combo's discount is withdrawn from each of one attendee's places when some of them are cancelled (P40),
 * by id. Kept places are to cost their own price, and what is taken for that is never more than what the ladder gives:
 * together min(withdrawn before + what the ladder gives now, what may be withdrawn). What was withdrawn from a place
 * that is now cancelled goes over to the kept ones, or back. So the sum is the same however the same cancellations of a
 * day are divided or ordered. Kept places never get cheaper; the first in the list is filled first.
 */
export function withdrawDiscount(givenUp: readonly GivenUp[], others: readonly Discounted[]): Map<number, Cents> {
  const all = [...givenUp, ...others];
  const sum = (places: readonly Discounted[], cents: (place: Discounted) => Cents) =>
    places.reduce((total, place) => total + cents(place), 0);
  const before = sum(all, ({ withdrawnCents }) => withdrawnCents);
  const given = givenUp.reduce((total, { ladderCents }) => total + ladderCents, 0);
  const wanted = sum(all, ({ withdrawableCents }) => withdrawableCents);
  let left = Math.min(before + given, wanted) - sum(others, ({ withdrawnCents }) => withdrawnCents);
  return new Map(
    [...givenUp.map((place) => ({ ...place, withdrawnCents: 0 })), ...others].map((place) => {
      const more = Math.min(left, place.withdrawableCents - place.withdrawnCents);
      left -= more;
      return [place.id, place.withdrawnCents + more];
    }),
  );
}
