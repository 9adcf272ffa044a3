import { confirmIfReached } from '#app/features/sessions/confirm-session.server.ts';
import type { LockedSession, SeatTrx } from '#app/features/sessions/seats.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import type { Circumstances } from './circumstances.ts';
import { groupsOf, queuePlaceMails } from './mails.server.ts';
import { enrolmentsIn, readEnrolment } from './queries.server.ts';

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

/** Tells everybody with a place in a session that it is confirmed, and the buyer that the invoice is due now. */
export async function queueConfirmed(
  trx: SeatTrx,
  sessionId: number,
  circumstances: Circumstances,
  exceptEnrolment?: number,
): Promise<void> {
  for (const id of await enrolmentsIn(trx, sessionId)) {
    if (id === exceptEnrolment) continue;
    const enrolment = await readEnrolment(trx, id);
    const stated = await latestDue(trx, id);
    // Nothing was due before it was confirmed (P39).
    const due = stated && [stated, circumstances.today].toSorted().at(-1);
    for (const places of groupsOf(enrolment.places.filter(({ session }) => session?.id === sessionId))) {
      const money = due ? [`The invoice is due by ${formatDay(due)}.`] : [];
      await queuePlaceMails(trx, enrolment, { change: 'session-confirmed', places, money }, circumstances);
    }
  }
}

/** The due date of the latest invoice that is not credited in full; null without one. */
async function latestDue(trx: SeatTrx, enrolmentId: number): Promise<string | null> {
  const row = await trx
    .selectFrom('tax_invoices')
    .select(['facts'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // Facts of an invoice always hold its due date.
  return row ? (row.facts as { dueOn: string }).dueOn : null;
}
