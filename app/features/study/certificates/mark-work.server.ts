import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { readStudy } from '#app/features/study/study.server.ts';
import { lockPlace } from './issue.server.ts';
import { isInInstructorScope } from './queries.server.ts';

export type NotMarkedWork = {
  ok: false;
  reason: /** No such place, not theirs, cancelled, or the course asks for no work. */
    | 'unknown'
    /** Its certificate says so already. Taking that back is revoking it. */
    | 'issued';
};

/**
 * Records that the work of a course was accepted of the person who has a place, or takes that back (P61). Marks are only
 * added, and the last one counts; what is marked so already is done. Throws `NotPermitted` for others.
 */
export async function markWork(
  trx: Trx,
  { placeId, accepted }: { placeId: number; accepted: boolean },
  { actor, now }: { actor: StaffActor; now: Date },
): Promise<{ ok: true } | NotMarkedWork> {
  requirePermission(actor, 'certificates:issue');
  if (!(await isInInstructorScope(trx, actor, placeId))) return { ok: false, reason: 'unknown' };
  await lockPlace(trx, placeId);
  const { state, work } = await readStudy(trx, placeId);
  if (state === 'cancelled' || work === null) return { ok: false, reason: 'unknown' };
  if ((work.acceptedAt !== null) === accepted) return { ok: true };
  const issued = await trx
    .selectFrom('certificates')
    .select('id')
    .where('place_id', '=', placeId)
    .where('state', '=', 'issued')
    .executeTakeFirst();
  if (issued) return { ok: false, reason: 'issued' };
  await trx
    .insertInto('work_marks')
    .values({ place_id: placeId, accepted, person_id: actor.person.id, marked_at: now })
    .execute();
  await writeAuditEntry(trx, {
    at: now,
    personId: actor.person.id,
    action: accepted ? 'accept-work' : 'take-work-back',
    subject: `place:${placeId}`,
  });
  return { ok: true };
}
