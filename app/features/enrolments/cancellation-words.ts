import { formatMoney } from '#app/lib/money.ts';
import type { CancellationPlan } from './cancellation-plan.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { type Refund, reasonInWords } from './money/refund-ladder.ts';

/** What cancelled places of one course give back, for the buyer's e-mail. `inFull` is the reason of staff. */
export function creditInWords(
  { ladder }: Pick<Enrolment, 'ladder'>,
  credits: readonly Refund[],
  inFull: { reason: string } | undefined,
): string[] {
  const [first] = credits;
  const cents = credits.reduce((sum, credit) => sum + credit.cents, 0);
  const why = inFull ? inFull.reason : first ? reasonInWords(first.reason, ladder) : '';
  const unchanged =
    first?.reason === 'no-date' ? 'Nothing was invoiced for it yet.' : 'The invoice for it stays as it is.';
  if (cents === 0) return [why, unchanged].filter((line) => line !== '');
  return [
    why,
    `The charge falls by ${formatMoney(cents)} incl. GST; the adjustment note is attached. What you have paid above what is owed goes back to where it came from.`,
  ];
}

/**
 * Why a cancelled place gives back what it does: the step of the ladder, and what its own price had cost more than the
 * combo, which it no longer costs.
 */
export function reasonOf(
  { ladder }: Pick<Enrolment, 'ladder'>,
  { id, withdrawnCents }: Pick<Place, 'id' | 'withdrawnCents'>,
  { credits, withdrawn }: CancellationPlan,
): string {
  const credit = credits.find(({ placeId }) => placeId === id);
  if (!credit) return '';
  const why = reasonInWords(credit.reason, ladder);
  const released = withdrawnCents - (withdrawn.find(({ placeId }) => placeId === id)?.withdrawnCents ?? withdrawnCents);
  return released > 0 ? `${why} ${formatMoney(released)} that it cost more than in the combo is part of it.` : why;
}

/** What courses of a combo cost more from now on, a line each with its sum, and what that makes together. */
export function raisesInWords(enrolment: Pick<Enrolment, 'places'>, plan: CancellationPlan): string[] {
  if (plan.raises.length === 0) return [];
  const lines = raiseRows(enrolment, plan).map(
    ({ label, now, more, invoiced }) =>
      `${label} now costs ${now}, ${more} more, because the combo’s discount no longer applies to it. ${
        invoiced ? 'The tax invoice is attached.' : 'You get the tax invoice when the course has a date.'
      }`,
  );
  const together =
    plan.backCents < 0
      ? `In all you pay ${formatMoney(-plan.backCents)} incl. GST more.`
      : `In all ${formatMoney(plan.backCents)} incl. GST comes off what is charged now.`;
  return [...lines, together];
}

/** The rows of the courses that cost more: which, its new price, and by how much more, in words. */
export function raiseRows({ places }: Pick<Enrolment, 'places'>, { raises }: CancellationPlan) {
  const several = new Set(places.map(({ attendee }) => attendee.id)).size > 1;
  return raises.flatMap(({ placeId, cents, amountCents, invoiced }) => {
    const place = places.find(({ id }) => id === placeId);
    if (!place) return [];
    const who = place.attendee.name ?? 'the person to be named';
    const label = several ? `${place.courseTitle}, for ${who},` : place.courseTitle;
    return [{ placeId, label, now: formatMoney(amountCents), more: formatMoney(cents), cents, invoiced }];
  });
}
