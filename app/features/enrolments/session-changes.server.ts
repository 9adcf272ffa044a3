import type { Db } from '#app/db/client.server.ts';
import {
  type ActingStaff,
  cancelSession,
  confirmSession,
  type FaultyTimes,
  moveSession,
  type SessionTimes,
  type WrongState,
} from '#app/features/sessions/commands.server.ts';
import { type LockedSession, lockSessions, type SeatTrx } from '#app/features/sessions/seats.server.ts';
import { addDays, formatDay } from '#app/lib/dates.ts';
import { cancelPlaces } from './cancel-enrolment.server.ts';
import type { Circumstances } from './circumstances.ts';
import { queueConfirmed } from './confirmed.server.ts';
import type { Enrolment } from './enrolment.ts';
import { markChanged } from './lock-enrolment.server.ts';
import { groupsOf, queuePlaceMails } from './mails.server.ts';
import { hasOtherSession } from './other-sessions.server.ts';
import { enrolmentsIn, readEnrolment } from './queries.server.ts';
import { placeWhen } from './words.ts';

/** For how long a buyer may choose when the academy cancelled or moved a session; silence means refund (P40). */
export const daysToChoose = 14;

type Unknown = { ok: false; reason: 'unknown' };

/** Staff confirm a session before its minimum is reached; everybody in it is told that the invoice is due (P39). */
export async function confirmSessionAndTell(
  trx: SeatTrx,
  sessionId: number,
  personId: number | null,
  circumstances: Circumstances,
): Promise<Awaited<ReturnType<typeof confirmSession>> | Unknown> {
  const session = await lockOne(trx, sessionId, circumstances.at);
  if (!session) return { ok: false, reason: 'unknown' };
  const result = await confirmSession(trx, session, { ...circumstances, personId });
  if (result.ok) await queueConfirmed(trx, sessionId, circumstances);
  return result;
}

/** Staff cancel a session: each buyer in it may choose another date or a full refund within 14 days (P40). */
export async function cancelSessionAndAsk(
  trx: SeatTrx,
  sessionId: number,
  personId: number | null,
  circumstances: Circumstances,
): Promise<Awaited<ReturnType<typeof cancelSession>> | Unknown> {
  const session = await lockOne(trx, sessionId, circumstances.at);
  if (!session) return { ok: false, reason: 'unknown' };
  const result = await cancelSession(trx, session, { ...circumstances, personId });
  if (result.ok) await ask(trx, session, 'session-cancelled', new Map(), circumstances);
  return result;
}

/**
 * Staff move a session to other days, times or another place: each buyer in it may keep the place, choose another date or
 * a full refund within 14 days (P40).
 */
export async function moveSessionAndAsk(
  trx: SeatTrx,
  { sessionId, times, personId }: { sessionId: number; times: SessionTimes; personId: ActingStaff['personId'] },
  circumstances: Circumstances,
): Promise<{ ok: true } | FaultyTimes | WrongState | Unknown> {
  const session = await lockOne(trx, sessionId, circumstances.at);
  if (!session) return { ok: false, reason: 'unknown' };
  const ids = await enrolmentsIn(trx, sessionId);
  const before = new Map<number, Enrolment>();
  for (const id of ids) before.set(id, await readEnrolment(trx, id));
  const result = await moveSession(trx, session, times, { ...circumstances, personId });
  if (result.ok) await ask(trx, session, 'session-moved', before, circumstances);
  return result;
}

async function ask(
  trx: SeatTrx,
  { id: sessionId }: LockedSession,
  why: 'session-cancelled' | 'session-moved',
  before: ReadonlyMap<number, Enrolment>,
  circumstances: Circumstances,
): Promise<void> {
  const chooseBy = addDays(circumstances.today, daysToChoose);
  const otherDate = await hasOtherSession(trx, sessionId, circumstances.today);
  for (const id of await enrolmentsIn(trx, sessionId)) {
    await trx.selectFrom('enrolments').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
    await trx
      .updateTable('places')
      .set({ choose_by: chooseBy, choose_why: why })
      .where('enrolment_id', '=', id)
      .where('training_session_id', '=', sessionId)
      .where('state', '=', 'active')
      .execute();
    const enrolment = await markChanged(trx, id, circumstances.at);
    const options = [
      ...(why === 'session-moved' ? ['keep the new dates'] : []),
      ...(otherDate ? ['choose another date'] : []),
    ].map((option) => `${option}, `);
    const back =
      options.length > 0 ? 'or have all of it back' : 'you can have all of it back (no other date has a free seat now)';
    const money = [
      `Please choose until ${formatDay(chooseBy)}: ${options.join('')}${back}. If we hear nothing until then, we refund it.`,
    ];
    for (const places of groupsOf(enrolment.places.filter(({ session }) => session?.id === sessionId))) {
      const was = before.get(id)?.places.find((place) => place.id === places[0].id);
      const event = { change: why, places, money, ...(was && { previously: placeWhen(was) }) };
      await queuePlaceMails(trx, enrolment, event, circumstances);
    }
  }
}

/** Refunds places whose buyers did not choose in time (P40), each enrolment by itself. Returns how many places. */
export async function refundSilent(db: Db, circumstances: Circumstances): Promise<number> {
  const rows = await db
    .selectFrom('places')
    .select(['id', 'enrolment_id'])
    .where('choose_by', '<', circumstances.today)
    .orderBy('id')
    .execute();
  let refunded = 0;
  for (const [enrolmentId, places] of Map.groupBy(rows, ({ enrolment_id }) => enrolment_id)) {
    const placeIds = places.map(({ id }) => id);
    const cancellation = { enrolmentId, placeIds, why: 'lapsed', shownCents: null } as const;
    const result = await db.transaction().execute((trx) => cancelPlaces(trx, cancellation, circumstances));
    // Otherwise its buyer chose at this moment: the next run sees what is left.
    if (result.ok) refunded += placeIds.length;
  }
  return refunded;
}

async function lockOne(trx: SeatTrx, sessionId: number, at: Date): Promise<LockedSession | undefined> {
  return (await lockSessions(trx, [sessionId], at)).get(sessionId);
}
