import type { Trx } from '#app/db/client.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { tellOfAnswer } from './employer-answers.server.ts';
import { datesOfLines, readOffer } from './queries.server.ts';
import { mayBe, type OfferState } from './rules.ts';
import { endOffer, lockOffers } from './send-offer.server.ts';

/** It cannot be done in the state that the offer has now. */
export type NotInState = { ok: false; reason: 'state'; state: OfferState };

type Act = { offerId: number; actor: StaffActor };

/**
 * Declines a sent offer for its customer, with their words, gives its seats back (P111), and tells an employee who asked
 * for it (P113).
 */
export async function declineForCustomer(
  trx: Trx,
  { offerId, actor, answer }: Act & { answer: string | null },
  moment: Moment,
): Promise<{ ok: true } | NotInState | null> {
  requirePermission(actor, 'companies:change');
  const seen = await readOffer(trx, offerId);
  const courseDates = await lockCourseDates(trx, datesOfLines(seen?.lines ?? []), moment.now);
  await lockOffers(trx, [offerId]);
  const offer = await readOffer(trx, offerId);
  if (!offer) return null;
  if (!mayBe(offer.state, 'decline')) return { ok: false, reason: 'state', state: offer.state };
  await endOffer(trx, offer, { state: 'declined', courseDates, at: moment.now, answer });
  await tellOfAnswer(trx, offer, { answer: 'declined', words: answer }, moment);
  return { ok: true };
}

/** Deletes a draft that was never sent. */
export async function deleteDraft(trx: Trx, { offerId, actor }: Act): Promise<{ ok: true } | NotInState | null> {
  requirePermission(actor, 'companies:change');
  await lockOffers(trx, [offerId]);
  const offer = await readOffer(trx, offerId);
  if (!offer) return null;
  if (!mayBe(offer.state, 'delete')) return { ok: false, reason: 'state', state: offer.state };
  await trx.deleteFrom('offers').where('id', '=', offerId).execute();
  return { ok: true };
}
