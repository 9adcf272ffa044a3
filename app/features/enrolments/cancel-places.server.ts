import type { Trx } from '#app/db/client.server.ts';
import { cancelSeats } from '#app/features/course-dates/seats.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { withdrawMail, withdrawMails } from '#app/outbox/withdraw-mail.server.ts';
import { type Enrolment, groupByDate, type Place } from './enrolment.ts';
import { type Locked, lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { firstDayOf, mayCancel, minimumBroken, openChoice } from './may-change.ts';
import { noteFile, owedInWords, queueNotes } from './money-mails.server.ts';
import { forgetReminders } from './payment-reminders.server.ts';
import { type CancellationPlan, planCancellation, planFullRefund } from './purchases.ts';
import { noteReason, refundInWords } from './refund-lines.ts';

/** The places to cancel, of each combo the whole, who cancels, and the refund that the page showed. */
export type Cancellation = {
  enrolmentId: number;
  placeIds: readonly number[];
  /** The sum off the invoices that the page showed; null when no page showed one. */
  shownCents: Cents | null;
} & ({ why: 'buyer' | 'silence' } | ByStaff);

/** Staff may refund anything, any courses of a combo too, with the reason that the adjustment note gives (P100). */
type ByStaff = { why: 'staff'; actor: Actor; inFull?: { reason: string } };

export type Cancelled = {
  ok: true;
  /** The amount by which the charge for each place fell. */
  credits: CancellationPlan['credits'];
  /** The sum that staff pay out, from their list; the rest only lowers the amount owed. */
  refundCents: Cents;
  stillOwedCents: Cents;
};

export type NotCancelled =
  | Meanwhile
  /** Not a place of this enrolment, or one that they may not cancel. */
  | { ok: false; reason: 'not-active' }
  /** A combo is cancelled as a whole (P99). */
  | { ok: false; reason: 'not-whole' }
  /** Too few of a private date would be left (P114). */
  | { ok: false; reason: 'below-minimum'; minimum: number }
  /** The refund changed since the page was shown: P31. */
  | { ok: false; reason: 'refund-changed'; shownCents: Cents; nowCents: Cents };

/**
 * Cancels places (P99, P100): gives their seats back, lowers the charge by adjustment notes, and tells buyer and
 * attendees. Repeating it answers `not-active` and changes nothing.
 */
export async function cancelPlaces(
  trx: Trx,
  cancellation: Cancellation,
  moment: Moment,
): Promise<Cancelled | NotCancelled> {
  const { enrolmentId, placeIds, why, shownCents } = cancellation;
  const { now, today } = moment;
  const inFull = cancellation.why === 'staff' ? cancellation.inFull : undefined;
  if (cancellation.why === 'staff') requirePermission(cancellation.actor, 'enrolments:change');
  if (cancellation.why === 'staff' && inFull) requirePermission(cancellation.actor, 'money:refund');
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const { enrolment, courseDates } = locked;
  const places = enrolment.places.filter(
    (place) =>
      placeIds.includes(place.id) &&
      mayCancel(enrolment, place, why === 'staff' ? 'staff' : 'buyer', today) === 'yes' &&
      // A place that is over is refunded with a reason only.
      (place.state === 'active' || inFull !== undefined),
  );
  if (places.length === 0 || places.length !== new Set(placeIds).size) return { ok: false, reason: 'not-active' };
  const minimum = why === 'staff' ? null : minimumBroken(places, today);
  if (minimum !== null) return { ok: false, reason: 'below-minimum', minimum };
  const charged = await chargedFor(trx, enrolmentId);
  const plan = inFull ? planFullRefund(placeIds, charged) : planCancellation(enrolment, { placeIds, charged }, { now });
  if (!plan) return { ok: false, reason: 'not-whole' };
  if (shownCents !== null && shownCents !== plan.cents) {
    return { ok: false, reason: 'refund-changed', shownCents, nowCents: plan.cents };
  }
  const settled = splitCredit(balanceOf(await accountOf(trx, enrolmentId)), plan.cents);
  const caused = (place: Place) => inFull === undefined && openChoice(place, today) !== null;
  const ended = Map.groupBy(places, (place) => (caused(place) ? 'date' : why === 'staff' ? 'staff' : 'buyer'));
  for (const [cancelledWhy, its] of ended) await endPlaces(trx, its, cancelledWhy, { courseDates, ...moment });
  const attachments = await writeNotes(trx, { enrolment, plan, reason: inFull?.reason }, moment);
  const changed = await markChanged(trx, enrolmentId, now);
  const money = [...refundInWords(enrolment, plan, inFull?.reason), ...(await owedInWords(trx, enrolmentId, moment))];
  // The places before the cancellation: the mails name them. The first one has the money of all.
  for (const [index, group] of groupByDate(places).entries()) {
    const first = index === 0 && { money, attachments };
    await queuePlaceMails(trx, changed, { change: 'cancelled', places: group, ...first }, moment);
  }
  return { ok: true, credits: plan.credits, ...settled };
}

/** Issues the adjustment notes of a cancellation, with a copy to the accounts address; the buyer's mail brings them. */
async function writeNotes(
  trx: Trx,
  { enrolment, plan, reason }: { enrolment: Enrolment; plan: CancellationPlan; reason: string | undefined },
  moment: Moment,
) {
  const { today, now } = moment;
  const credits = plan.credits.filter(({ cents }) => cents > 0);
  if (credits.length === 0) return [];
  const enrolmentId = enrolment.id;
  const why = noteReason(enrolment, plan, reason);
  const notes = await issueAdjustmentNotes(trx, { enrolmentId, credits, reason: why, today, at: now });
  await withdrawPaymentReminders(trx, { enrolmentId, at: now, reason: 'The charge has changed' });
  await queueNotes(trx, enrolment, { notes, buyerHasThem: true }, moment);
  return notes.map(noteFile);
}

/** Marks places as cancelled, gives back their seats in locked course dates, and takes back reminders not delivered yet. */
export async function endPlaces(
  trx: Trx,
  places: readonly Place[],
  why: NonNullable<Place['cancelledWhy']>,
  { courseDates, now }: Pick<Locked, 'courseDates'> & Pick<Moment, 'now'>,
): Promise<void> {
  for (const place of places) {
    await trx
      .updateTable('places')
      .set({ state: 'cancelled', cancelled_at: now, cancelled_why: why, choose_by: null, choose_why: null })
      .where('id', '=', place.id)
      .execute();
    const courseDate = place.courseDate && courseDates.get(place.courseDate.id);
    if (courseDate) await cancelSeats(trx, courseDate, [place.id], now);
  }
  const reason = why === 'transfer' ? 'The place was moved' : 'The place was cancelled';
  await withdrawReminders(trx, places, { at: now, reason });
}

/** How many days before the first day a reminder of a place goes out (P31), the longest first. */
export const remindDaysBefore = [7, 1];

/**
 * Withdraws undelivered reminders of places that were cancelled or whose dates changed. `places` are as the reminders
 * name them. A reminder to the buyer about several attendees is withdrawn too, unless one of them still attends;
 * `whole` says that the change concerns all of them. `queuePlaceReminders` makes the same keys in SQL.
 */
export async function withdrawReminders(
  trx: Trx,
  places: readonly Place[],
  { at, reason, whole = false }: { at: Date; reason: string; whole?: boolean },
): Promise<void> {
  const keys = new Set<string>();
  for (const place of places) {
    const first = firstDayOf(place);
    const told = first && (place.attendee.email === null ? await toldToBuyer(trx, place, whole) : place.id);
    if (told) for (const days of remindDaysBefore) keys.add(`place-reminder:${told}:${first}:${days}`);
  }
  for (const key of [...keys].sort()) await withdrawMail(trx, key, at, reason);
}

/** The end of the key of a reminder to the buyer; null while another attendee without an address attends that date. */
async function toldToBuyer(trx: Trx, { id, courseDate, guidedFrom }: Place, whole: boolean): Promise<string | null> {
  const one = await trx
    .selectFrom('places')
    .select(['enrolment_id as enrolmentId', 'course_id as courseId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const other = await trx
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('places.id')
    .where('places.enrolment_id', '=', one.enrolmentId)
    .where('course_id', '=', one.courseId)
    .where('course_date_id', 'is not distinct from', courseDate?.id ?? null)
    .where('guided_from', 'is not distinct from', guidedFrom)
    .where('places.state', '=', 'active')
    .where('email', 'is', null)
    .executeTakeFirst();
  return other && !whole ? null : `buyer:${one.enrolmentId}:${one.courseId}:${courseDate?.id ?? 'guided'}`;
}

/**
 * Withdraws the undelivered payment reminders of an enrolment, and forgets them, because the amount due has changed
 * (P39, P83): payments arrive while the mail server is away. The buyer is reminded again of what is still due, on the
 * same day too.
 */
export async function withdrawPaymentReminders(
  trx: Trx,
  { enrolmentId, at, reason }: { enrolmentId: number; at: Date; reason: string },
): Promise<void> {
  const sent = await trx
    .selectFrom('payment_reminders')
    .select('mail_id')
    .distinct()
    .where('enrolment_id', '=', enrolmentId)
    .execute();
  const ids = sent.map(({ mail_id }) => mail_id);
  const withdrawn = await withdrawMails(trx, ids, at, reason);
  if (withdrawn.length > 0) await forgetReminders(trx, withdrawn);
}
