import type { AuditChange } from '#app/audit/changes.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type LockedCourseDate, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { ActDone, Refused } from '#app/features/people/staff-act.server.ts';
import type { Enrolment } from './enrolment.ts';
import { readEnrolment } from './queries.server.ts';

/** The locked rows of a command: an enrolment, its course dates, and further course dates that the command names. */
export type Locked = { ok: true; enrolment: Enrolment; courseDates: Map<number, LockedCourseDate> };
/** A place of the enrolment was moved just now; nothing is written. Try again. */
export type Meanwhile = { ok: false; reason: 'meanwhile' };

/**
 * Locks the course dates of an enrolment's active places and further ones, then the enrolment, so that nobody
 * waits for somebody who waits for them. Throws when there is no such enrolment.
 */
export async function lockEnrolment(
  trx: Trx,
  enrolmentId: number,
  at: Date,
  further: readonly number[] = [],
): Promise<Locked | Meanwhile> {
  const wanted = new Set([...(await courseDatesOf(trx, enrolmentId)), ...further]);
  const courseDates = await lockCourseDates(trx, [...wanted], at);
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const now = await courseDatesOf(trx, enrolmentId);
  if (!now.every((id) => wanted.has(id))) return { ok: false, reason: 'meanwhile' };
  return { ok: true, enrolment: await readEnrolment(trx, enrolmentId), courseDates };
}

/** The course dates of an enrolment's active places. */
export async function courseDatesOf(trx: Db, enrolmentId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('places')
    .select('course_date_id')
    .distinct()
    .where('enrolment_id', '=', enrolmentId)
    .where('state', '=', 'active')
    .execute();
  return rows.flatMap(({ course_date_id }) => course_date_id ?? []);
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

export type Asked = { form: FormData | null; reference: string; actor: StaffActor };
export type Done = ActDone | Refused | { ok: false; reason: 'missing' };

export const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

/** The act, as in the history of the enrolment. */
export const done = (
  action: string,
  details: Record<string, string | number> = {},
  changes: readonly AuditChange[] = [],
): ActDone => ({ ok: true, did: { action, details, changes } });

export const meanwhile = 'Someone changed the enrolment just now.';

/** Finds an enrolment for an act. */
export async function withEnrolment(
  trx: Trx,
  reference: string,
  act: (enrolmentId: number) => Promise<Done>,
): Promise<Done> {
  const row = await trx.selectFrom('enrolments').select('id').where('reference', '=', reference).executeTakeFirst();
  return row ? act(row.id) : { ok: false, reason: 'missing' };
}
