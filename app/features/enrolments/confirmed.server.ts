import { confirmIfReached } from '#app/features/sessions/confirm-session.server.ts';
import type { LockedSession, SeatTrx } from '#app/features/sessions/seats.server.ts';
import type { Circumstances } from './circumstances.ts';
import { groupsOf, queuePlaceMails } from './mails.server.ts';
import { dueShort } from './money/open-invoice.ts';
import { openInvoices } from './money/open-invoices.server.ts';
import { refundText } from './money/refund-ladder.ts';
import { enrolmentsIn, readEnrolment } from './queries.server.ts';
import { refundablePlace } from './refundable.ts';

/**
 * Confirms those of the locked sessions whose minimum was reached by a sale (P39), and tells everybody who enrolled
 * before; the enrolment that reached it hears it with its own mail.
 */
export async function confirmReached(
  trx: SeatTrx,
  sessions: ReadonlyMap<number, LockedSession>,
  enrolmentId: number,
  circumstances: Circumstances,
): Promise<void> {
  for (const session of sessions.values()) {
    if (await confirmIfReached(trx, session, circumstances.now)) {
      await queueConfirmed(trx, session.id, circumstances, enrolmentId);
    }
  }
}

/** Tells everybody with a place in a session that it is confirmed, and the buyer what is due by when, if anything is open. */
export async function queueConfirmed(
  trx: SeatTrx,
  sessionId: number,
  circumstances: Circumstances,
  exceptEnrolment?: number,
): Promise<void> {
  for (const id of await enrolmentsIn(trx, sessionId)) {
    if (id === exceptEnrolment) continue;
    const enrolment = await readEnrolment(trx, id);
    const money = await dueInWords(trx, id, circumstances);
    for (const places of groupsOf(enrolment.places.filter(({ session }) => session?.id === sessionId))) {
      const refund = refundText(refundablePlace(enrolment, places[0], circumstances), circumstances.now);
      const cancelling = `What we refund now depends on the day you cancel${places.length > 1 ? ', for each place' : ''}: ${refund}.`;
      const event = { change: 'session-confirmed', places, money: [...money, cancelling] } as const;
      await queuePlaceMails(trx, enrolment, event, circumstances);
    }
  }
}

/** What is due by when of the invoices of an enrolment, a sentence each; none of what waits for a decision. */
export async function dueInWords(
  trx: SeatTrx,
  enrolmentId: number,
  { today }: Pick<Circumstances, 'today'>,
): Promise<string[]> {
  const due = (await openInvoices(trx, enrolmentId)).filter(({ dueOn }) => dueOn !== null);
  return due.map((one) => `Tax invoice ${one.facts.number}: ${dueShort(one, today)}.`);
}
