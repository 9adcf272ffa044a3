import type { Trx } from '#app/db/client.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { type Refund, refundAt } from '#app/features/money/refund-ladder.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import { cancelSeats } from '#app/features/seats/commands.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { bookCancellation } from './book-cancellation.server.ts';
import { type CancellationPlan, planCancellation } from './cancellation-plan.ts';
import { begunInWords, creditInWords, othersInWords, raisesInWords } from './cancellation-words.ts';
import { openChoice } from './choosing.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { type Locked, lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { owedInWords } from './money-mails.server.ts';
import { alike } from './place-groups.ts';
import { refundablePlace } from './refundable.ts';
import { withdrawReminders } from './withdraw-reminders.server.ts';

/** The places to cancel, who cancels, and the plan that the page showed. */
export type Cancellation = {
  enrolmentId: number;
  placeIds: readonly number[];
  /** The sum off the invoices that the page showed; below zero, the buyer owes more. Null when no page showed one. */
  shownCents: Cents | null;
} & ({ why: 'buyer' | 'session' | 'lapsed' } | ByStaff);

/** Staff may refund more than the ladder says, with the reason that the adjustment note gives (P40). */
type ByStaff = { why: 'staff'; actor: Actor; inFull?: { reason: string } };

export type Cancelled = {
  ok: true;
  /** By cancelled place: by how much its charge fell, and why. */
  refunds: ({ placeId: number } & Refund)[];
  /** The rise in the charge for kept courses of a combo that were invoiced. */
  raisedCents: Cents;
  /** The sum that staff pay out, from their list; the rest only lowers the amount owed. */
  refundCents: Cents;
  stillOwedCents: Cents;
};

export type NotCancelled =
  | Meanwhile
  /** Not a place of this enrolment, cancelled before, or completed and not refunded by staff with a reason. */
  | { ok: false; reason: 'not-active' }
  /** A step of the ladder passed since the page was shown, or other courses of a combo were cancelled: P31. */
  | { ok: false; reason: 'refund-changed'; shownCents: Cents; nowCents: Cents };

/**
 * Cancels places by the refund ladder (P40): gives their seats back, lowers the charge by an adjustment note, charges
 * kept courses of a combo their own price, and tells buyer and attendees. Repeating it answers `not-active` and changes
 * nothing.
 */
export async function cancelPlaces(
  trx: Trx,
  cancellation: Cancellation,
  moment: Moment,
): Promise<Cancelled | NotCancelled> {
  const { enrolmentId, placeIds, why, shownCents } = cancellation;
  const inFull = cancellation.why === 'staff' ? cancellation.inFull : undefined;
  if (cancellation.why === 'staff') {
    requirePermission(cancellation.actor, 'enrolments:change');
    if (inFull) requirePermission(cancellation.actor, 'money:refund');
  }
  const { now } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const { enrolment, sessions } = locked;
  // With a reason, staff may also refund completed places (P40).
  const completed = inFull ? 'completed' : 'active';
  const places = enrolment.places.filter(
    ({ id, state }) => placeIds.includes(id) && (state === 'active' || state === completed),
  );
  if (places.length === 0 || places.length !== new Set(placeIds).size) return { ok: false, reason: 'not-active' };
  const how = { caused: why === 'session' || why === 'lapsed', inFull: inFull !== undefined };
  const plan = await readCancellation(trx, enrolment, places, { ...moment, ...how });
  const nowCents = plan.backCents;
  if (shownCents !== null && shownCents !== nowCents) {
    return { ok: false, reason: 'refund-changed', shownCents, nowCents };
  }
  const settled = splitCredit(balanceOf(await accountOf(trx, enrolmentId)), nowCents);
  const caused = (one: Place) => plan.credits.some((credit) => credit.placeId === one.id && isCaused(credit));
  const isOurs = (one: Place) => why !== 'lapsed' && inFull === undefined && caused(one);
  const [theirs, ours] = [places.filter((one) => !isOurs(one)), places.filter(isOurs)];
  await endPlaces(trx, theirs, why, { sessions, ...moment });
  await endPlaces(trx, ours, 'session', { sessions, ...moment });
  const booked = { enrolment, plan, reason: inFull?.reason ?? 'Cancelled' };
  let { files } = await bookCancellation(trx, booked, moment);
  const changed = await markChanged(trx, enrolmentId, now);
  const raises = raisesInWords(enrolment, plan);
  // The places before the cancellation: the mails name them.
  const owed = await owedInWords(trx, enrolmentId, moment);
  const others = othersInWords(changed, moment.today);
  const about = { paid: settled.refundCents > 0, reason: inFull?.reason };
  for (const [index, group] of alike(places).entries()) {
    const credits = plan.credits.filter(({ placeId }) => group.some(({ id }) => id === placeId));
    const first = index === 0 ? [...raises, ...others] : [];
    const begun = begunInWords(group, plan);
    const money = [...creditInWords(enrolment, credits, about), ...begun, ...first, ...owed];
    const event = { change: 'cancelled', places: group, money, attachments: files } as const;
    await queuePlaceMails(trx, changed, event, moment);
    files = [];
  }
  const raisedCents = plan.raises.reduce((sum, { cents, invoiced }) => sum + (invoiced ? cents : 0), 0);
  return { ok: true, refunds: plan.credits, raisedCents, ...settled };
}

/** Given back, by page or by phone, but not by the buyer's choice: reports and pages say so (P85). */
const isCaused = ({ reason }: Refund) => reason === 'academy-changed';

/** The effects of cancelling places now (P40), for the page that asks first and for the command. */
export async function readCancellation(
  trx: Trx,
  enrolment: Enrolment,
  places: readonly Place[],
  { now, ...how }: Pick<Moment, 'now'> & { caused?: boolean; inFull?: boolean; soldAgain?: { takenOffCents: Cents } },
): Promise<CancellationPlan> {
  const charged = await chargedFor(trx, enrolment.id);
  return planCancellation(enrolment, { ...how, places, charged }, { now });
}

/**
 * The refund that the ladder gives now for each place (P40), without regard to kept courses of a combo. `together` are
 * cancelled in one act.
 */
export async function refundsOf(
  trx: Trx,
  enrolment: Enrolment,
  places: readonly Place[],
  { now, together }: Pick<Moment, 'now'> & { together?: readonly Place[] | undefined },
): Promise<({ placeId: number } & Refund)[]> {
  const charged = await chargedFor(trx, enrolment.id);
  return places.map((place) => {
    const chargedCents = charged(place.id);
    return { placeId: place.id, ...refundAt(refundablePlace(enrolment, place, { now, chargedCents, together }), now) };
  });
}

/** Marks places as cancelled, gives back their seats in locked sessions, and takes back reminders not delivered yet. */
export async function endPlaces(
  trx: Trx,
  places: readonly Place[],
  why: Cancellation['why'] | 'transfer',
  { sessions, today, now }: Pick<Locked, 'sessions'> & Pick<Moment, 'today' | 'now'>,
): Promise<void> {
  for (const place of places) {
    await trx
      .updateTable('places')
      .set({
        state: 'cancelled',
        cancelled_at: now,
        ended_on: today,
        cancelled_why: why,
        left_cancelled_session: place.session?.state === 'cancelled',
        went_along: why === 'session' && openChoice(place, today) === null,
        choose_by: null,
        choose_why: null,
      })
      .where('id', '=', place.id)
      .execute();
    const session = place.session && sessions.get(place.session.id);
    if (session) await cancelSeats(trx, session, [place.id], now);
  }
  const reason = why === 'transfer' ? 'The place was moved' : 'The place was cancelled';
  await withdrawReminders(trx, places, { at: now, reason });
}
