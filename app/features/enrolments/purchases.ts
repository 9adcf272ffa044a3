import { comboDiscountOf } from '#app/features/money/pricing.ts';
import { type Purchase, percentAt, type Refund, type RefundPercent, refundAt } from '#app/features/money/refund.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { isBegun, openChoice, studyOf } from './may-change.ts';

/**
 * The part of an enrolment that one attendee cancels as a whole (P99): one course, or a combo. A course of a combo that
 * the academy cancelled or moved is chosen for alone. `goes` are the places that end, `stays` the begun courses of a
 * combo, whose other courses go on.
 */
export type Bought = { combo: boolean; goes: readonly Place[]; stays: readonly Place[] };

/** The purchases of an enrolment on a day, apart from what was cancelled, in the order of its places. */
export function purchasesOf({ comboId, places }: Pick<Enrolment, 'comboId' | 'places'>, today: Day): Bought[] {
  const alive = places.filter(({ state }) => state !== 'cancelled');
  const wholes = Map.groupBy(alive, (place) =>
    comboId === null || openChoice(place, today) !== null ? `place ${place.id}` : `seat ${place.attendee.seat}`,
  );
  return [...wholes].map(([key, its]) => {
    const combo = key.startsWith('seat');
    const stays = combo ? its.filter((place) => isBegun(place, today)) : [];
    return { combo, goes: its.filter((place) => !stays.includes(place)), stays };
  });
}

/** The purchase that a place belongs to on a day; it alone when it was cancelled. */
export function purchaseOf(enrolment: Pick<Enrolment, 'comboId' | 'places'>, place: Place, today: Day): Bought {
  const its = purchasesOf(enrolment, today).find(({ goes, stays }) =>
    [...goes, ...stays].some(({ id }) => id === place.id),
  );
  return its ?? { combo: false, goes: [place], stays: [] };
}

/** The charge for a place after notes, by its id: nothing before it is invoiced. */
export type Charged = (placeId: number) => Cents;

/** A purchase as the refund rule takes it. */
export function refundable(
  { combo, goes, stays }: Bought,
  { charged, today }: { charged: Charged; today: Day },
): Purchase {
  return {
    combo,
    courses: [...goes, ...stays].map((place) => ({
      id: place.id,
      chargedCents: place.way === 'next-date' ? 0 : charged(place.id),
      discountCents: comboDiscountOf(place),
      boundAt: place.boundAt,
      study: studyOf(place),
      moveCap: place.moveCap,
      academyChanged: openChoice(place, today) !== null,
    })),
  };
}

/** The effects of cancelling places now. Amounts are in cents, GST included. */
export type CancellationPlan = {
  /** Of each purchase concerned. */
  refunds: Refund[];
  /** The amount by which the invoices fall, in all and by place. */
  cents: Cents;
  credits: { placeId: number; cents: Cents }[];
};

/**
 * Plans the cancellation of places by the rule (P99, P100); changes nothing. Null when the places are not the whole of
 * each combo: all its courses that have not begun are cancelled together.
 */
export function planCancellation(
  enrolment: Pick<Enrolment, 'comboId' | 'places'>,
  { placeIds, charged }: { placeIds: readonly number[]; charged: Charged },
  { now }: Pick<Moment, 'now'>,
): CancellationPlan | null {
  const today = academyDay(now);
  const bought = purchasesOf(enrolment, today).filter(({ goes }) => goes.some(({ id }) => placeIds.includes(id)));
  if (bought.some(({ goes }) => !goes.every(({ id }) => placeIds.includes(id)))) return null;
  const refunds = bought.map((one) => refundAt(refundable(one, { charged, today }), now));
  return {
    refunds,
    cents: refunds.reduce((sum, { cents }) => sum + cents, 0),
    credits: refunds.flatMap(creditsOf),
  };
}

/** The refund of each course: the discount of begun courses is taken from the first ones. */
function creditsOf({ courses, begun }: Refund): CancellationPlan['credits'] {
  let left = begun.cents;
  return courses.map(({ id, cents }) => {
    const taken = Math.min(left, cents);
    left -= taken;
    return { placeId: id, cents: cents - taken };
  });
}

/** Staff give back all that is charged for places, with a reason of their own (P100). */
export function planFullRefund(placeIds: readonly number[], charged: Charged): CancellationPlan {
  const credits = placeIds.map((placeId) => ({ placeId, cents: charged(placeId) }));
  return { refunds: [], cents: credits.reduce((sum, { cents }) => sum + cents, 0), credits };
}

/** The refund of a course now, in percent and in cents: after the buyer's move it is never higher (P100). */
export function capOfMove(
  { courseDate, boundAt, moveCap }: Place & { way: 'date' },
  chargedCents: Cents,
  now: Date,
): { percent: RefundPercent; cents: Cents } {
  const study = { way: 'date', firstDay: courseDate.startsOn, state: courseDate.state } as const;
  const { percent } = percentAt({ study, boundAt, moveCap }, now);
  return { percent, cents: Math.ceil((chargedCents * percent) / 100) };
}
