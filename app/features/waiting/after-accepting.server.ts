import type { Db } from '#app/db/client.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { refundablePlace } from '#app/features/enrolments/refundable.ts';
import { refundText } from '#app/features/money/refund-text.ts';

/**
 * What accepting an offer means for a place that was bought without a date (P31): in words, what comes back of each such
 * place once it has the date; null where there is nothing to say. `wait`: how many places get no date by it, because the offer has fewer seats.
 */
export async function readAfterAccepting(
  db: Db,
  {
    enrolmentId,
    courseId,
    sessionId,
    seats,
  }: { enrolmentId: number; courseId: number; sessionId: number; seats: number },
  now: Date,
): Promise<{ refund: string | null; wait: number }> {
  const enrolment = await readEnrolment(db, enrolmentId);
  const all = enrolment.places.filter(
    (one) => one.courseId === courseId && one.way === 'next-date' && one.state === 'active',
  );
  const waiting = all.slice(0, seats);
  const [place] = waiting;
  if (!place) return { refund: null, wait: 0 };
  const session = await db
    .selectFrom('training_sessions')
    .select(['starts_on as firstDay', 'state'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const study = { way: 'session', ...session } as const;
  // Its invoice comes with the date, at the price that was agreed.
  const refundable = refundablePlace(enrolment, place, { now, chargedCents: place.amountCents });
  const words = refundText({ ...refundable, placedAt: now, study }, now);
  const free =
    session.state === 'tentative' ? '. Until we confirm the date, cancelling is free and nothing is due' : '';
  return { refund: `${words}${free}`, wait: all.length - waiting.length };
}
