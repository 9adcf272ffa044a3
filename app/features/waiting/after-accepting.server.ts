import type { Db } from '#app/db/client.server.ts';
import { courseAtOnce } from '#app/features/enrolments/dates-at-once.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { refundablePlace } from '#app/features/enrolments/refundable.ts';
import { refundText } from '#app/features/money/refund-text.ts';

/**
 * What accepting an offer means for a place that was bought without a date (P31): in words, what comes back of each such
 * place once it has the date, and which course one of its people takes at the same time (P38). Null where there is nothing
 * to say. `wait`: how many places get no date by it, because the offer has fewer seats.
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
): Promise<{ refund: string | null; meets: string | null; wait: number }> {
  const enrolment = await readEnrolment(db, enrolmentId);
  const all = enrolment.places.filter(
    (one) => one.courseId === courseId && one.way === 'next-date' && one.state === 'active',
  );
  const waiting = all.slice(0, seats);
  const [place] = waiting;
  if (!place) return { refund: null, meets: null, wait: 0 };
  const session = await db
    .selectFrom('training_sessions')
    .select(['starts_on', 'ends_on', 'starts_at', 'ends_at', 'venue', 'state'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const { starts_on: firstDay, ends_on: endDate, starts_at, ends_at, venue, state } = session;
  const study = { way: 'session', firstDay, state } as const;
  // Its invoice comes with the date, at the price that was agreed.
  const refundable = refundablePlace(enrolment, place, { now, chargedCents: place.amountCents });
  const words = refundText({ ...refundable, placedAt: now, study }, now);
  const free = state === 'tentative' ? '. Until we confirm the date, cancelling is free and nothing is due' : '';
  const times = { startTime: starts_at.slice(0, 5), endTime: ends_at.slice(0, 5) };
  const date = { startDate: firstDay, endDate, ...times, venue };
  const meets = waiting.map((one) => courseAtOnce(enrolment.places, one, date)).find((title) => title !== null);
  return { refund: `${words}${free}`, meets: meets ?? null, wait: all.length - waiting.length };
}
