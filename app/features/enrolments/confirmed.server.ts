import type { Trx } from '#app/db/client.server.ts';
import { dueShort } from '#app/features/money/open-invoice.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { refundText } from '#app/features/money/refund-ladder.ts';
import type { LockedSession } from '#app/features/seats/commands.server.ts';
import { confirmIfReached } from '#app/features/sessions/confirm-session.server.ts';
import type { Circumstances } from './circumstances.ts';
import type { Place } from './enrolment.ts';
import { markChanged } from './lock-enrolment.server.ts';
import { groupsOf, queuePlaceMails } from './mails.server.ts';
import { enrolmentsIn, readEnrolment } from './queries.server.ts';
import { refundablePlace } from './refundable.ts';

/**
 * Confirms those of the locked sessions whose minimum was reached by a sale (P39), and tells everybody who enrolled
 * before; the places that reached it hear it with their own mail.
 */
export async function confirmReached(
  trx: Trx,
  sessions: ReadonlyMap<number, LockedSession>,
  newPlaces: readonly number[],
  circumstances: Circumstances,
): Promise<void> {
  const confirmed: number[] = [];
  for (const session of sessions.values()) {
    if (await confirmIfReached(trx, session, circumstances.now)) confirmed.push(session.id);
  }
  await queueConfirmed(trx, confirmed, circumstances, newPlaces);
}

/**
 * Tells everybody with a place in sessions that they are confirmed, with the entry that says so in place of the tentative
 * one, and the buyer what is due by when, if anything is open.
 */
export async function queueConfirmed(
  trx: Trx,
  sessionIds: readonly number[],
  circumstances: Circumstances,
  exceptPlaces: readonly number[] = [],
): Promise<void> {
  const concerns = ({ id, session }: Place) =>
    session !== null && sessionIds.includes(session.id) && !exceptPlaces.includes(id);
  const enrolmentIds = new Set<number>();
  for (const sessionId of sessionIds) for (const id of await enrolmentsIn(trx, sessionId)) enrolmentIds.add(id);
  // In order: two sales at once change the same enrolments, and must not wait for each other.
  for (const id of [...enrolmentIds].sort((a, b) => a - b)) {
    if (!groupsOf((await readEnrolment(trx, id)).places.filter(concerns))[0]) continue;
    const enrolment = await markChanged(trx, id, circumstances.at);
    const money = await dueInWords(trx, id, circumstances);
    for (const places of groupsOf(enrolment.places.filter(concerns))) {
      const refund = refundText(refundablePlace(enrolment, places[0], circumstances), circumstances.now);
      const cancelling = `What we refund now depends on the day you cancel${places.length > 1 ? ', for each place' : ''}: ${refund}.`;
      const event = { change: 'session-confirmed', places, money: [...money, cancelling] } as const;
      await queuePlaceMails(trx, enrolment, event, circumstances);
    }
  }
}

/** What is due by when of the invoices of an enrolment, a sentence each; none of what waits for a decision. */
export async function dueInWords(
  trx: Trx,
  enrolmentId: number,
  { today }: Pick<Circumstances, 'today'>,
): Promise<string[]> {
  const due = (await openInvoices(trx, enrolmentId)).filter(({ dueOn }) => dueOn !== null);
  return due.map((one) => `Tax invoice ${one.facts.number}: ${dueShort(one, today)}.`);
}
