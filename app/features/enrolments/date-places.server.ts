import type { SeatTrx } from '#app/features/sessions/seats.server.ts';
import type { Circumstances } from './circumstances.ts';
import { confirmReached } from './confirmed.server.ts';
import type { Place } from './enrolment.ts';
import { issueTaxInvoice } from './invoices.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { groupsOf, invoiceFile, queuePlaceMails } from './mails.server.ts';
import { unbookable } from './placeable.ts';
import { moneyDue } from './words.ts';
import { sellOne } from './write-places.server.ts';

export type NotDated =
  | Meanwhile
  | { ok: false; reason: 'none-waiting' | 'session-closed' | 'session-cancelled' }
  | { ok: false; reason: 'session-full'; left: number };

/**
 * Gives the places of an enrolment that wait for the next date of a course their seats in a training session: from then
 * on they are dated, and invoiced at the price that was fixed when they were placed (P38). Their waiting entry is closed.
 */
export async function datePlaces(
  trx: SeatTrx,
  { enrolmentId, courseId, sessionId }: { enrolmentId: number; courseId: number; sessionId: number },
  circumstances: Circumstances,
): Promise<{ ok: true; places: number } | NotDated> {
  const { today, at } = circumstances;
  const locked = await lockEnrolment(trx, enrolmentId, at, [sessionId]);
  if (!locked.ok) return locked;
  const waiting = locked.enrolment.places.filter(isWaitingFor(courseId));
  const session = locked.sessions.get(sessionId);
  if (waiting.length === 0) return { ok: false, reason: 'none-waiting' };
  const refused = unbookable(session, { courseId, today });
  if (refused) return { ok: false, reason: refused };
  if (!session || session.left < waiting.length) return { ok: false, reason: 'session-full', left: session?.left ?? 0 };
  const placeIds = waiting.map(({ id }) => id);
  await trx
    .updateTable('places')
    .set({ way: 'session', training_session_id: sessionId })
    .where('id', 'in', placeIds)
    .execute();
  for (const id of placeIds) await sellOne(trx, session, id, at);
  await trx
    .updateTable('waiting_entries')
    .set({ closed_at: at, closed_why: 'bought' })
    .where('enrolment_id', '=', enrolmentId)
    .where('course_id', '=', courseId)
    .where('closed_at', 'is', null)
    .execute();
  await confirmReached(trx, new Map([[sessionId, session]]), enrolmentId, circumstances);
  const invoice = await issueTaxInvoice(trx, { enrolmentId, placeIds, today, at });
  const enrolment = await markChanged(trx, enrolmentId, at);
  for (const places of groupsOf(enrolment.places.filter(({ id }) => placeIds.includes(id)))) {
    const money = [moneyDue(places, invoice.facts), 'The tax invoice is attached.'];
    const attachments = [invoiceFile(invoice)];
    await queuePlaceMails(trx, enrolment, { change: 'dated', places, money, attachments }, circumstances);
  }
  return { ok: true, places: placeIds.length };
}

const isWaitingFor = (courseId: number) => (place: Place) =>
  place.courseId === courseId && place.way === 'next-date' && place.state === 'active';
