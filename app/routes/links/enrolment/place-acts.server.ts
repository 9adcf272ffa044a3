import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { lockEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import { mayCancel, minimumText, openChoice } from '#app/features/enrolments/may-change.ts';
import { capOfMove } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { keepPlace, type NotTransferred, transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { shownDate } from '#app/features/enrolments/words.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { type ActOutcome, meanwhile } from './take-buyer-act.server.ts';

type Sent = { enrolmentId: number; values: FormValues };

/** The places that a form or an address names, such as `12,13`. */
export const placeIdsOf = (text: string): number[] => [
  ...new Set(text.split(',').flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))),
];

/**
 * Cancels the places of the form for their buyer (P40). The refund must be the one that the page showed in `shown`, in
 * cents: otherwise a step of the ladder has passed since, and the buyer has to see it first (P31).
 */
export async function cancelAsAsked(trx: Trx, { enrolmentId, values }: Sent, moment: Moment): Promise<ActOutcome> {
  const placeIds = placeIdsOf(values.places ?? '');
  const before = await readEnrolment(trx, enrolmentId);
  const named = before.places.filter(({ id }) => placeIds.includes(id));
  if (named.length === 0) return { ok: false, fault: 'Choose at least one place to cancel.' };
  if (named.every(isCancelledByBuyer)) return { ok: true, done: 'cancelled' };
  const may = (place: Place) => mayCancel(before, place, 'buyer', moment.today) === 'yes';
  if (!named.every(may)) return { ok: false, fault: changed };
  const shownCents = Number(values.shown || Number.NaN);
  if (!Number.isSafeInteger(shownCents)) return { ok: false, fault: meanwhile };
  const cancellation = { enrolmentId, placeIds, why: 'buyer', shownCents } as const;
  const result = await cancelPlaces(trx, cancellation, moment);
  if (result.ok) return { ok: true, done: 'cancelled' };
  if (result.reason === 'refund-changed') return { ok: false, fault: stepPassed(result, 'Nothing was cancelled.') };
  if (result.reason === 'below-minimum')
    return { ok: false, fault: `Nothing was cancelled. ${minimumText(result.minimum)}` };
  if (result.reason === 'meanwhile' || result.reason === 'not-whole') return { ok: false, fault: meanwhile };
  const after = (await readEnrolment(trx, enrolmentId)).places.filter(({ id }) => placeIds.includes(id));
  return after.every(isCancelledByBuyer) ? { ok: true, done: 'cancelled' } : { ok: false, fault: changed };
}

const isCancelledByBuyer = ({ state, cancelledWhy }: Place) =>
  state === 'cancelled' && (cancelledWhy === 'buyer' || cancelledWhy === 'date');

const changed =
  'One of these places was moved or cancelled, or its course has begun. Nothing was cancelled now. Please look at your enrolment and choose again.';

const stepPassed = ({ shownCents, nowCents }: { shownCents: number; nowCents: number }, kept: string) =>
  `The refund changed while this page was open: it is now ${formatMoney(nowCents)}, not ${formatMoney(shownCents)}. ${kept} The amounts below are current; send it again if you still want it.`;

/**
 * Moves a place to another date for its buyer (P40). `shown` is what would have come back today, in cents: it limits a
 * later refund, so it must be what the page showed; so must the other date, in `date`.
 */
export async function transferAsAsked(trx: Trx, { enrolmentId, values }: Sent, moment: Moment): Promise<ActOutcome> {
  const [placeId = 0] = placeIdsOf(values.place ?? '');
  const [toCourseDateId = 0] = placeIdsOf(values.to ?? '');
  const locked = await lockEnrolment(trx, enrolmentId, moment.now, [toCourseDateId]);
  if (!locked.ok) return { ok: false, fault: meanwhile };
  const { places } = locked.enrolment;
  const place = places.find(({ id }) => id === placeId);
  if (place && isMovedTo(places, place, toCourseDateId)) return { ok: true, done: 'moved' };
  if (place?.state === 'active' && place.way === 'date') {
    const chargedCents = (await chargedFor(trx, enrolmentId))(placeId);
    const { cents: nowCents } = capOfMove(place, chargedCents, moment.now);
    const shownCents = Number(values.shown || Number.NaN);
    if (!Number.isSafeInteger(shownCents)) return { ok: false, fault: meanwhile };
    if (nowCents !== shownCents) {
      return { ok: false, fault: stepPassed({ nowCents, shownCents }, 'Nothing was moved.') };
    }
    const to = locked.courseDates.get(toCourseDateId);
    if (to && values.date !== shownDate(to)) return { ok: false, fault: `${otherDate} ${stays}` };
  }
  const result = await transferPlace(trx, { enrolmentId, placeId, toCourseDateId, actor: theBuyer }, moment);
  return result.ok ? { ok: true, done: 'moved' } : { ok: false, fault: notMoved[result.reason] };
}

const isMovedTo = (places: readonly Place[], { id, cancelledWhy }: Place, courseDateId: number) =>
  cancelledWhy === 'transfer' &&
  places.some(({ transferredFrom, courseDate }) => transferredFrom === id && courseDate?.id === courseDateId);

const otherDate = 'We changed that date while this page was open. Please look at it below before you take it.';
const stays = 'The place stays as it was.';
const notMoved: Record<NotTransferred['reason'], string> = {
  meanwhile,
  'not-active': `This place has been moved or cancelled, so nothing was done. Please look at your enrolment again.`,
  'same-course-date': `The place is already on that date. ${stays}`,
  'course-date-full': `Someone else has taken the last seat on that date. ${stays} Choose another date below.`,
  'course-date-closed': `That date is closed for enrolment. ${stays} Choose another date below.`,
  'course-date-cancelled': `That date has been cancelled. ${stays} Choose another date below.`,
  'too-far': `That date is more than twelve months away. ${stays} Choose another date below.`,
  begun: `The first day has come, so the place can no longer be moved here. ${stays} Please call us.`,
  'below-minimum': `This date is held for a group, which may not become smaller. ${stays} Please call us.`,
  'moved-before': `You have already used the free move of this place. ${stays} Please call us.`,
};

/** Keeps a place at a date that the academy moved (P40), which must be as the page showed it, in `date` (P31). */
export async function keepAsAsked(trx: Trx, { enrolmentId, values }: Sent, moment: Moment): Promise<ActOutcome> {
  const [placeId = 0] = placeIdsOf(values.place ?? '');
  // Before it is compared: a move that waits to be written has a choice of its own.
  const locked = await lockEnrolment(trx, enrolmentId, moment.now);
  if (!locked.ok) return { ok: false, fault: meanwhile };
  const asked = locked.enrolment.places.find(({ id }) => id === placeId);
  if (asked?.courseDate && asked.chooseWhy === 'course-date-moved' && values.date !== shownDate(asked.courseDate)) {
    return { ok: false, fault: 'We changed this date while this page was open. Nothing was chosen yet.' };
  }
  if (await keepPlace(trx, { enrolmentId, placeId }, moment)) return { ok: true, done: 'kept' };
  // After its last day silence has kept it: the same.
  const { places } = await readEnrolment(trx, enrolmentId);
  const place = places.find(({ id }) => id === placeId);
  // It was kept before, so this is a repeat.
  if (place?.state === 'active' && openChoice(place, moment.today) === null) return { ok: true, done: 'kept' };
  return { ok: false, fault: place?.chooseWhy === 'course-date-cancelled' ? notHeld : notMoved['not-active'] };
}

const notHeld =
  'We cancelled this date, so you cannot keep it. Nothing was changed. Take another date, or a full refund.';
