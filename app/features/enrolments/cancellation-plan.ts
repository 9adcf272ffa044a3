import { type GivenUp, withdrawDiscount } from '#app/features/money/combo-discount.ts';
import { type Refund, refundAt } from '#app/features/money/refund-ladder.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { hasBegun, refundablePlace } from './refundable.ts';

/** The effects of cancelling places on the charges of an enrolment (P40). Amounts are in cents, GST included. */
export type CancellationPlan = {
  /** By cancelled place: by how much its invoice falls, and why. */
  credits: ({ placeId: number } & Refund)[];
  /** Charges for cancelled places that were never invoiced. */
  fallenCents: Cents;
  /** Places that cost more now. Those not invoiced yet are invoiced at the new amount once they have a date. */
  raises: { placeId: number; cents: Cents; amountCents: Cents; invoiced: boolean }[];
  /** The sum that comes off the invoices; below zero, the buyer owes more. */
  backCents: Cents;
  /** The combo's discount that is withdrawn, and the most that may be, of places for which either changes. */
  withdrawn: { placeId: number; withdrawnCents: Cents; withdrawableCents: Cents }[];
};

type Asked = {
  /** Some of the enrolment's places, active or, once their seats were sold again, cancelled. */
  places: readonly Place[];
  /** The charge for a place less its adjustment notes. */
  charged: (placeId: number) => Cents;
  /** Kept courses keep their combo price, because the academy caused the cancellation. */
  caused?: boolean;
  /** Staff give back all that is charged. */
  inFull?: boolean;
  /** Their session sold out after they were cancelled; with what staff had taken off each before (P83). */
  soldAgain?: { takenOffCents: Cents };
};

/**
 * Plans the cancellation of places; changes nothing. The ladder decides the refund of each place. If an attendee keeps
 * other courses of a combo, those then cost their own price, which comes off the refund (P40).
 */
export function planCancellation(enrolment: Enrolment, asked: Asked, clock: Pick<Moment, 'now'>): CancellationPlan {
  const plan: CancellationPlan = { credits: [], fallenCents: 0, raises: [], backCents: 0, withdrawn: [] };
  for (const its of Map.groupBy(asked.places, ({ attendee }) => attendee.seat).values()) {
    planForOne(plan, enrolment, { ...asked, places: its }, clock);
  }
  const sum = (list: readonly { cents: Cents }[]) => list.reduce((total, { cents }) => total + cents, 0);
  plan.backCents = sum(plan.credits) - sum(plan.raises.filter(({ invoiced }) => invoiced));
  return plan;
}

/** Adds to the plan what concerns the places of one attendee. */
function planForOne(
  plan: CancellationPlan,
  enrolment: Enrolment,
  { places, charged, caused = false, inFull = false, soldAgain }: Asked,
  { now }: Pick<Moment, 'now'>,
): void {
  const today = academyDay(now);
  const reprices = enrolment.comboId !== null && enrolment.ladder.repricesKept && !caused && !inFull;
  const chargedNow = (place: Place) => (isInvoiced(place) ? charged(place.id) : place.amountCents);
  const refundOf = (place: Place, cents: Cents) => {
    const refundable = refundablePlace(enrolment, place, { now, chargedCents: cents, together: places, ...soldAgain });
    return refundAt({ ...refundable, seatSoldAgain: soldAgain !== undefined }, now);
  };
  const givenUp: (GivenUp & { place: Place; refund: Refund })[] = [];
  for (const place of places) {
    const { id } = place;
    // Staff may have lowered the charge: the part that was taken off cannot go over to another course.
    const withdrawnCents = Math.min(place.withdrawnCents, chargedNow(place));
    const bare = refundOf(place, chargedNow(place) - withdrawnCents);
    if (reprices && bare.reason !== 'academy-changed') {
      const begun = hasBegun(place, today);
      // The same share of the discount as of the price: the ladder's share of both is refunded.
      const withdrawableCents =
        begun && !soldAgain ? place.discountCents - refundOf(place, place.discountCents).cents : 0;
      givenUp.push({ id, place, refund: bare, ladderCents: bare.cents, withdrawnCents, withdrawableCents });
      continue;
    }
    const refund = refundOf(place, chargedNow(place));
    addEnd(plan, place, { ...refund, cents: inFull ? chargedNow(place) : refund.cents });
    if (place.withdrawnCents > 0 || place.withdrawableCents > 0) {
      plan.withdrawn.push({ placeId: id, withdrawnCents: 0, withdrawableCents: 0 });
    }
  }
  if (givenUp.length === 0) return;
  const others = enrolment.places.filter(
    ({ id, attendee, cancelledWhy }) =>
      attendee.seat === places[0]?.attendee.seat &&
      cancelledWhy !== 'transfer' &&
      !places.some((place) => place.id === id),
  );
  const withdrawn = withdrawDiscount(givenUp, others);
  for (const { id, place, refund, withdrawnCents: before, withdrawableCents } of givenUp) {
    const withdrawnCents = withdrawn.get(id) ?? 0;
    const cents = refund.cents + before - withdrawnCents;
    addEnd(plan, place, { ...refund, cents: Math.min(Math.max(0, cents), chargedNow(place)) });
    if (cents < 0) addRaise(plan, place, -cents);
    plan.withdrawn.push({ placeId: id, withdrawnCents, withdrawableCents });
  }
  for (const place of others) {
    const withdrawnCents = withdrawn.get(place.id) ?? place.withdrawnCents;
    if (withdrawnCents === place.withdrawnCents) continue;
    addRaise(plan, place, withdrawnCents - place.withdrawnCents);
    plan.withdrawn.push({ placeId: place.id, withdrawnCents, withdrawableCents: place.withdrawableCents });
  }
}

function addEnd(plan: CancellationPlan, place: Place, refund: Refund): void {
  plan.credits.push({ placeId: place.id, ...refund, cents: isInvoiced(place) ? refund.cents : 0 });
  if (!isInvoiced(place)) plan.fallenCents += place.amountCents;
}

function addRaise(plan: CancellationPlan, place: Place, cents: Cents): void {
  const amountCents = place.amountCents + cents;
  plan.raises.push({ placeId: place.id, cents, amountCents, invoiced: isInvoiced(place) });
}

/** A place on the list for the next date is invoiced when it has one (P38). */
const isInvoiced = ({ way }: Place) => way !== 'next-date';
