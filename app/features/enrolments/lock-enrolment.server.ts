import type { Db, Trx } from '#app/db/client.server.ts';
import { type LockedSession, lockSessions } from '#app/features/seats/commands.server.ts';
import type { Enrolment } from './enrolment.ts';
import { readEnrolment } from './queries.server.ts';

/** The locked rows of a command: an enrolment, its training sessions, and further sessions that the command names. */
export type Locked = { ok: true; enrolment: Enrolment; sessions: Map<number, LockedSession> };
/** A place of the enrolment was moved just now; nothing is written. Try again. */
export type Meanwhile = { ok: false; reason: 'meanwhile' };

/**
 * Locks the training sessions of an enrolment's active places and further ones, then the enrolment, so that nobody
 * waits for somebody who waits for them. Throws when there is no such enrolment.
 */
export async function lockEnrolment(
  trx: Trx,
  enrolmentId: number,
  at: Date,
  further: readonly number[] = [],
): Promise<Locked | Meanwhile> {
  const wanted = new Set([...(await sessionsOf(trx, enrolmentId)), ...further]);
  const sessions = await lockSessions(trx, [...wanted], at);
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const now = await sessionsOf(trx, enrolmentId);
  if (!now.every((id) => wanted.has(id))) return { ok: false, reason: 'meanwhile' };
  return { ok: true, enrolment: await readEnrolment(trx, enrolmentId), sessions };
}

/** The training sessions of an enrolment's active places. */
export async function sessionsOf(trx: Db, enrolmentId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('places')
    .select('training_session_id')
    .distinct()
    .where('enrolment_id', '=', enrolmentId)
    .where('state', '=', 'active')
    .execute();
  return rows.flatMap(({ training_session_id }) => training_session_id ?? []);
}

/** Records that an enrolment was changed; its calendar entries get the next SEQUENCE. Returns it as it is now. */
export async function markChanged(trx: Trx, enrolmentId: number, at: Date): Promise<Enrolment> {
  await trx
    .updateTable('enrolments')
    .set((row) => ({ changed_at: at, sequence: row('sequence', '+', 1) }))
    .where('id', '=', enrolmentId)
    .execute();
  return readEnrolment(trx, enrolmentId);
}
