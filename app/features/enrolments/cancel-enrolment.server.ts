import { cancelSeats, type SeatTrx } from '#app/features/sessions/seats.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { cancelledInWords } from './cancelled-in-words.ts';
import type { Circumstances } from './circumstances.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { type Locked, lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { groupsOf, noteFile, queuePlaceMails } from './mails.server.ts';
import { accountOf } from './money/accounts.server.ts';
import { chargedFor, issueAdjustmentNotes } from './money/adjustment-notes.server.ts';
import { balanceOf, settle } from './money/balance.ts';
import { type Refund, refundAt } from './money/refund-ladder.ts';
import { owedInWords, queueNotes } from './money-mails.server.ts';
import { refundablePlace } from './refundable.ts';

/** What is cancelled, by whom, and what they were shown. */
export type Cancellation = {
  enrolmentId: number;
  placeIds: readonly number[];
  why: 'buyer' | 'staff' | 'session' | 'lapsed';
  /** Staff may refund more than the ladder says, with the reason that the adjustment note gives (P40). */
  inFull?: { reason: string };
  /** The sum that the buyer saw would come back; null when nobody was shown one. */
  shownCents: Cents | null;
};

export type Cancelled = {
  ok: true;
  /** By place: by how much its charge fell, and why. */
  refunds: ({ placeId: number } & Refund)[];
  /** What is to be paid out; the rest only lowers what is owed. Staff pay it, it is listed for them. */
  refundCents: Cents;
  stillOwedCents: Cents;
};

export type NotCancelled =
  | Meanwhile
  /** Not a place of this enrolment, completed, or cancelled before. */
  | { ok: false; reason: 'not-active' }
  /** A step of the ladder passed since the page was shown: the buyer has to see it (P31). */
  | { ok: false; reason: 'refund-changed'; shownCents: Cents; nowCents: Cents };

/**
 * Cancels places by the refund ladder (P40): gives their seats back, lowers the charge by an adjustment note, and tells
 * buyer and attendees. Repeating it answers `not-active` and changes nothing.
 */
export async function cancelPlaces(
  trx: SeatTrx,
  cancellation: Cancellation,
  circumstances: Circumstances,
): Promise<Cancelled | NotCancelled> {
  const { enrolmentId, placeIds, why, inFull, shownCents } = cancellation;
  const { today, at } = circumstances;
  const locked = await lockEnrolment(trx, enrolmentId, at);
  if (!locked.ok) return locked;
  const { enrolment, sessions } = locked;
  const places = enrolment.places.filter(({ id, state }) => placeIds.includes(id) && state === 'active');
  if (places.length === 0 || places.length !== new Set(placeIds).size) return { ok: false, reason: 'not-active' };
  const refunds = await refundsOf(trx, enrolment, places, { ...circumstances, inFull });
  const nowCents = refunds.reduce((sum, { cents }) => sum + cents, 0);
  if (shownCents !== null && shownCents !== nowCents) {
    return { ok: false, reason: 'refund-changed', shownCents, nowCents };
  }
  const settled = settle(balanceOf(await accountOf(trx, enrolmentId)), nowCents);
  await endPlaces(trx, places, why, { sessions, at });
  const reason = inFull?.reason ?? 'Cancelled';
  const notes =
    nowCents > 0 ? await issueAdjustmentNotes(trx, { enrolmentId, credits: refunds, reason, today, at }) : [];
  const changed = await markChanged(trx, enrolmentId, at);
  // As they were: the mails say what was cancelled.
  const owed = await owedInWords(trx, enrolmentId, circumstances);
  let files = notes.map(noteFile);
  for (const group of groupsOf(places)) {
    const its = refunds.filter(({ placeId }) => group.some(({ id }) => id === placeId));
    const money = [...cancelledInWords(its, { paid: settled.refundCents > 0, reason: inFull?.reason }), ...owed];
    await queuePlaceMails(
      trx,
      changed,
      { change: 'cancelled', places: group, money, attachments: files },
      circumstances,
    );
    files = [];
  }
  await queueNotes(trx, changed, { notes, buyerHasThem: true }, circumstances);
  return { ok: true, refunds, ...settled };
}

/** What would come back now for places of an enrolment, by the ladder (P40): for the page that asks before it is done. */
export async function refundsOf(
  trx: SeatTrx,
  enrolment: Enrolment,
  places: readonly Place[],
  { now, at, inFull }: Pick<Circumstances, 'now' | 'at'> & { inFull?: Cancellation['inFull'] },
): Promise<({ placeId: number } & Refund)[]> {
  const charged = await chargedFor(trx, enrolment.id);
  return places.map((place) => {
    const chargedCents = charged(place.id);
    const refund = refundAt(refundablePlace(enrolment, place, { now, at, chargedCents }), now);
    return { placeId: place.id, ...refund, cents: inFull ? chargedCents : refund.cents };
  });
}

/** Marks places as cancelled and gives back their seats in locked sessions. */
export async function endPlaces(
  trx: SeatTrx,
  places: readonly Place[],
  why: Cancellation['why'] | 'transfer',
  { sessions, at }: Pick<Locked, 'sessions'> & { at: Date },
): Promise<void> {
  for (const place of places) {
    await trx
      .updateTable('places')
      .set({ state: 'cancelled', cancelled_at: at, cancelled_why: why, choose_by: null, choose_why: null })
      .where('id', '=', place.id)
      .execute();
    const session = place.session && sessions.get(place.session.id);
    if (session) await cancelSeats(trx, session, [place.id], at);
  }
}
