import { endHold, type SeatTrx } from '#app/features/sessions/seats.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { Circumstances } from './circumstances.ts';
import { confirmReached } from './confirmed.server.ts';
import { issueTaxInvoice } from './invoices.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { groupsOf, invoiceFile, queuePlaceMails } from './mails.server.ts';
import { unbookable } from './placeable.ts';
import { sellOne } from './write-places.server.ts';

type NotDated =
  | Meanwhile
  | { ok: false; reason: 'not-waiting' | 'offer-over' | 'session-closed' | 'session-cancelled' }
  | { ok: false; reason: 'session-full'; left: number };

type Dating = {
  enrolmentId: number;
  courseId: number;
  sessionId: number;
  /** The hold of the offer that was accepted; null when staff give the date. */
  held: { holdId: number; seats: number } | null;
};

/**
 * Gives places that were bought without a date theirs (P38): ends the offer's hold, sells the seats of a session of
 * their course, issues the tax invoice and tells everybody. A refusal has written nothing.
 */
export async function datePlaces(
  trx: SeatTrx,
  { enrolmentId, courseId, sessionId, held }: Dating,
  circumstances: Circumstances,
): Promise<{ ok: true; placeIds: number[] } | NotDated> {
  const { at, today } = circumstances;
  const locked = await lockEnrolment(trx, enrolmentId, at, [sessionId]);
  if (!locked.ok) return locked;
  const { enrolment, sessions } = locked;
  const waiting = enrolment.places.filter(
    (place) => place.way === 'next-date' && place.state === 'active' && place.courseId === courseId,
  );
  if (waiting.length === 0) return { ok: false, reason: 'not-waiting' };
  const session = sessions.get(sessionId);
  const refused = unbookable(session, { courseId, today });
  if (refused || !session) return { ok: false, reason: refused ?? 'session-closed' };
  const left = session.left + (held?.seats ?? 0);
  if (left < waiting.length) return { ok: false, reason: 'session-full', left };
  if (held && !(await endHold(trx, session, held.holdId, 'sold', at))) return { ok: false, reason: 'offer-over' };

  const placeIds = waiting.map(({ id }) => id);
  await trx
    .updateTable('places')
    .set({ way: 'session', training_session_id: sessionId })
    .where('id', 'in', placeIds)
    .execute();
  for (const id of placeIds) await sellOne(trx, session, id, at);
  const invoice = await issueTaxInvoice(trx, { enrolmentId, placeIds, today, at });
  await confirmReached(trx, sessions, enrolmentId, circumstances);
  const changed = await markChanged(trx, enrolmentId, at);
  const { totalCents, dueOn } = invoice.facts;
  const due = session.state === 'tentative' ? ', but not before the date is confirmed' : '';
  const money = [
    `The tax invoice is attached: ${formatMoney(totalCents)} incl. GST, due by ${formatDay(dueOn)}${due}.`,
  ];
  let attachments = [invoiceFile(invoice)];
  for (const places of groupsOf(changed.places.filter(({ id }) => placeIds.includes(id)))) {
    await queuePlaceMails(trx, changed, { change: 'dated', places, money, attachments }, circumstances);
    attachments = [];
  }
  return { ok: true, placeIds };
}
