import type { Account } from '#app/features/money/balance.ts';
import { type Refund, reasonInWords } from '#app/features/money/refund-ladder.ts';
import type { RefundLadder } from '#app/features/site/agreement.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { CancellationPlan } from './cancellation-plan.ts';
import { openChoice } from './choosing.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { hasBegun, lastDayToFollow } from './refundable.ts';

/** Whether a buyer has paid something that could come back. */
export const hasPaid = ({ paidCents, refundedCents }: Pick<Account, 'paidCents' | 'refundedCents'>): boolean =>
  paidCents > refundedCents;

/** Why a charge falls, for a buyer who has paid nothing and so gets no money back. */
function unpaidReason(reason: Refund['reason'], ladder: RefundLadder): string {
  const { fullDays, halfDays, fullHours } = ladder;
  switch (reason) {
    case 'academy-changed':
      return 'We cancelled or moved the course date, so you are charged nothing for it.';
    case 'seat-sold-again':
      return 'The course date has sold out, with your seat taken by someone else, so you are charged nothing for it.';
    case 'sold-again-after-move':
      return 'The course date has sold out, with your seat taken by someone else. After your move you are charged what you would have been charged on the day of the move.';
    case 'first-24-hours':
      return `You enrolled, or the course got its date, within the last ${fullHours} hours, so you are charged nothing for it.`;
    case 'two-weeks':
      return `It is ${fullDays} days or more before the first day, so you are charged nothing for it.`;
    case 'one-week':
      return `It is ${fullDays - 1} to ${halfDays} days before the first day, so you are charged half of it.`;
    case 'too-late':
      return `It is less than ${halfDays} days before the first day, so you are charged all of it.`;
    case 'not-started':
      return 'Guided study has not started, so you are charged nothing for it.';
    case 'modules-left':
      return 'You are charged only for the modules that were opened.';
    case 'lower-after-move':
      return 'The place was moved, so you are charged the higher of two amounts: that of the day of the move, and that of today.';
    default:
      return reasonInWords(reason, ladder);
  }
}

/**
 * What cancelled places of one course mean in money, for the buyer's email: why, and by how much the charge falls.
 * `paid` is whether something is sent back; to somebody who paid nothing, nothing is said to come back (P40). `reason`
 * is that of staff who refund in full.
 */
export function creditInWords(
  { ladder }: Pick<Enrolment, 'ladder'>,
  credits: readonly Refund[],
  { paid, reason }: { paid: boolean; reason: string | undefined },
): string[] {
  const [first] = credits;
  const cents = credits.reduce((sum, credit) => sum + credit.cents, 0);
  const byLadder = first && (paid ? reasonInWords(first.reason, ladder) : unpaidReason(first.reason, ladder));
  const why = reason ?? byLadder;
  const unchanged =
    first?.reason === 'no-date' ? 'Nothing was invoiced for it yet.' : 'The invoice for it stays as it is.';
  const falls = `Your invoice falls by ${formatMoney(cents)} incl. GST; the adjustment note is attached.`;
  return [...(why ? [why] : []), cents === 0 ? unchanged : falls];
}

/**
 * Why a cancelled place gives back what it does: the step of the ladder, and what its own price had cost more than the
 * combo, which it no longer costs, or costs for the part that has begun. `paid` is whether the buyer has paid something.
 */
export function reasonOf(
  enrolment: Enrolment,
  place: Place,
  { plan, paid, today }: { plan: CancellationPlan; paid: boolean; today: Day },
): string {
  const credit = plan.credits.find(({ placeId }) => placeId === place.id);
  if (!credit) return '';
  const released = -withdrawnMore(place, plan);
  return [
    paid ? reasonInWords(credit.reason, enrolment.ladder) : unpaidReason(credit.reason, enrolment.ladder),
    ...(released > 0 ? [`That includes the ${formatMoney(released)} that it costs more than in the combo.`] : []),
    ...begunInWords([place], plan),
    ...togetherInWords(enrolment, place, { plan, today }),
  ].join(' ');
}

const withdrawnMore = ({ id, withdrawnCents }: Pick<Place, 'id' | 'withdrawnCents'>, { withdrawn }: CancellationPlan) =>
  (withdrawn.find(({ placeId }) => placeId === id)?.withdrawnCents ?? withdrawnCents) - withdrawnCents;

/** The extra charge for the part of cancelled places of a combo that has begun: that part counts as kept (P40). */
export function begunInWords(places: readonly Place[], plan: CancellationPlan): string[] {
  const cents = places.reduce((sum, place) => sum + Math.max(0, withdrawnMore(place, plan)), 0);
  return cents === 0
    ? []
    : [`Less ${formatMoney(cents)}: the part that has begun costs its own price, without the combo’s discount.`];
}

/**
 * A sentence for a course that is refunded in full with another course of the combo, whose date the academy changed
 * (P40).
 */
function togetherInWords(
  { comboId, places }: Enrolment,
  place: Place,
  { plan, today }: { plan: CancellationPlan; today: Day },
): string[] {
  const changed = places.find(
    (other) =>
      other.attendee.seat === place.attendee.seat &&
      openChoice(other, today) !== null &&
      !plan.credits.some(({ placeId }) => placeId === other.id),
  );
  const [credit] = plan.credits.filter(({ placeId }) => placeId === place.id);
  if (comboId === null || !changed || credit?.reason === 'academy-changed' || hasBegun(place, today)) return [];
  return [
    `We changed the date of ${changed.courseTitle}: if you give that one back first, or in the same step, we refund all of this one.`,
  ];
}

/** The extra charge for kept courses of a combo, a line for each, and the total. */
export function raisesInWords(enrolment: Pick<Enrolment, 'places'>, plan: CancellationPlan): string[] {
  if (plan.raises.length === 0) return [];
  const lines = raiseRows(enrolment, plan).map(
    ({ label, now, more, invoiced }) =>
      `${label} now costs ${now}, ${more} more, because the combo’s discount no longer applies to it. ${
        invoiced ? 'The tax invoice is attached.' : 'We’ll email your tax invoice when the course has a date.'
      }`,
  );
  const together =
    plan.backCents < 0
      ? `In all you pay ${formatMoney(-plan.backCents)} incl. GST more.`
      : `In all you pay ${formatMoney(plan.backCents)} incl. GST less.`;
  return [...lines, together];
}

/**
 * That other courses of a combo may follow the one that the academy changed, a sentence each (P40); none while nothing
 * of the kind was given back or refunded.
 */
export function othersInWords({ comboId, places }: Pick<Enrolment, 'comboId' | 'places'>, today: Day): string[] {
  const active =
    comboId === null ? [] : places.filter(({ state, chooseBy }) => state === 'active' && chooseBy === null);
  const sentences = active.flatMap((place) => {
    const until = lastDayToFollow(place, places, today);
    return until === null
      ? []
      : `Because we changed a date of the combo, you can also give back ${place.courseTitle} until ${formatDay(until)}, for all of its share of the price.`;
  });
  return [...new Set(sentences)];
}

/** The rows of the courses that cost more: which, its new price, and by how much more, in words; `written` writes a sum. */
export function raiseRows({ places }: Pick<Enrolment, 'places'>, { raises }: CancellationPlan, written = formatMoney) {
  const several = new Set(places.map(({ attendee }) => attendee.id)).size > 1;
  return raises.flatMap(({ placeId, cents, amountCents, invoiced }) => {
    const place = places.find(({ id }) => id === placeId);
    if (!place) return [];
    const who = place.attendee.name ?? 'the person to be named';
    const label = several ? `${place.courseTitle}, for ${who},` : place.courseTitle;
    return [{ placeId, label, now: written(amountCents), more: written(cents), cents, invoiced }];
  });
}
