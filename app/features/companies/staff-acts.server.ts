import type { Trx } from '#app/db/client.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { datesOfLines, readOffer } from './queries.server.ts';
import { mayBe, type OfferState } from './rules.ts';
import { endOffer, lockOffers } from './send-offer.server.ts';

/** It cannot be done in the state that the offer has now. */
export type NotInState = { ok: false; reason: 'state'; state: OfferState };

type Act = { offerId: number; actor: StaffActor; at: Date };

/** Declines a sent offer for its customer, with their words, and gives its seats back (P111). */
export async function declineForCustomer(
  trx: Trx,
  { offerId, actor, at, answer }: Act & { answer: string | null },
): Promise<{ ok: true } | NotInState | null> {
  requirePermission(actor, 'companies:change');
  const seen = await readOffer(trx, offerId);
  const courseDates = await lockCourseDates(trx, datesOfLines(seen?.lines ?? []), at);
  await lockOffers(trx, [offerId]);
  const offer = await readOffer(trx, offerId);
  if (!offer) return null;
  if (!mayBe(offer.state, 'decline')) return { ok: false, reason: 'state', state: offer.state };
  await endOffer(trx, offer, { state: 'declined', courseDates, at, answer });
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
