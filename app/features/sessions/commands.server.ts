import { sql } from 'kysely';
import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { endHold, type LockedSession } from '#app/features/seats/commands.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { taughtHours } from '#app/lib/taught-hours.ts';
import { formatTime, instantOf, wallClockAt } from '#app/lib/wall-clock.ts';
import { changeOfTimes, isOtherInstructor, type SessionTimes, type TimesChange } from './changed-times.ts';
import { markConfirmed } from './confirm-session.server.ts';
import { columnsOf, type FaultyTimes, faultsOf, hoursFaults, onlyTimes, timesOf } from './session-times.server.ts';
import { wayInColumns } from './way-in.server.ts';
import type { WayIn } from './way-in.ts';

/** The actor and the time; `today` is the day in Brisbane. */
type Acting = { actor: Actor; now: Date; today: Day };

export type NewSession = SessionTimes & { courseId: number; capacity: number; minimum: number; wayIn?: WayIn };

/** Its state does not allow it. */
export type WrongState = { ok: false; reason: 'cancelled' | 'begun' };
/** It is all of that already; nothing was written. */
export type Unchanged = { ok: false; reason: 'unchanged' };

/**
 * Makes a training session, confirmed when it needs no decision, otherwise tentative (P39). Its slug says course, place
 * and first day.
 */
export async function makeSession(
  trx: Trx,
  wish: NewSession,
  by: Acting,
): Promise<{ ok: true; id: number; slug: string } | FaultyTimes> {
  requirePermission(by.actor, 'sessions:change');
  const course = await trx
    .selectFrom('courses')
    .select('slug')
    .where('id', '=', wish.courseId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  const faults = [...(await faultsOf(trx, wish, by.today)), ...(await hoursFaults(trx, wish.courseId, wish))];
  if (!course) faults.push({ field: 'course', message: 'is not offered' });
  if (!course || faults.length > 0) return { ok: false, reason: 'faults', faults };
  const place = wish.venue?.toLowerCase() ?? 'online';
  const slug = await freeSlug(trx, `${course.slug}-${place}-${wish.startDate}`);
  const { id } = await trx
    .insertInto('training_sessions')
    .values({
      ...columnsOf(wish),
      ...(wish.wayIn && wayInColumns(wish.wayIn, wish.delivery)),
      slug,
      course_id: wish.courseId,
      capacity: wish.capacity,
      minimum: wish.minimum,
      decided_by: wish.decidedBy,
      made_at: by.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { capacity, minimum } = wish;
  const changes = changesBetween({}, { course: course.slug, ...onlyTimes(wish), capacity, minimum });
  await record(trx, by, 'make-session', slug, { starts: wish.startDate, seats: wish.capacity }, changes);
  return { ok: true, id, slug };
}

/**
 * Moves a locked session to other days, times or another place (P40). Only the session: what it means for those who
 * enrolled, the caller writes in the same transaction, by what `change` says. Once it has begun, only the instructor changes, until its last day: somebody
 * else has to be able to teach and mark it (P59). A confirmed session stays confirmed. A
 * tentative one needs a new day of decision when the old one would be less than 14 days before the first day. The room
 * of another city, and a link to what is no longer online, are forgotten.
 */
export async function moveSession(
  trx: Trx,
  session: LockedSession,
  times: SessionTimes,
  by: Acting,
): Promise<{ ok: true; change: TimesChange; before: SessionTimes } | FaultyTimes | WrongState | Unchanged> {
  requirePermission(by.actor, 'sessions:change');
  if (session.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  const decidedBy = session.state === 'tentative' ? times.decidedBy : null;
  const before = await timesOf(trx, session);
  // In summer its first day begins in Sydney an hour before Brisbane's, and instructors may mark from then on.
  const begun = session.startsOn <= by.today || session.startsOn <= wallClockAt(session.zone, by.now).day;
  const change = changeOfTimes(before, { ...times, decidedBy });
  if (
    begun &&
    (session.endsOn < by.today || (change !== 'nothing' && !isOtherInstructor(before, { ...times, decidedBy })))
  ) {
    return { ok: false, reason: 'begun' };
  }
  if (change === 'nothing') return { ok: false, reason: 'unchanged' };
  const { capacity, minimum } = session;
  const all = await faultsOf(trx, { ...times, decidedBy, capacity, minimum }, by.today);
  // One that taught too much already may be moved, if it does not teach more than before.
  if (taughtHours(times) > taughtHours(before)) all.push(...(await hoursFaults(trx, session.courseId, times)));
  // Days that have come are no faults of it.
  const faults = begun ? all.filter(({ field }) => field === 'instructor') : all;
  if (!begun && session.state === 'tentative' && decidedBy === null) {
    faults.push({ field: 'decidedBy', message: 'is needed until it is confirmed' });
  }
  if (faults.length > 0) return { ok: false, reason: 'faults', faults };
  await trx
    .updateTable('training_sessions')
    .set({ ...columnsOf(times), decided_by: decidedBy })
    .$if(before.venue !== times.venue, (query) => query.set({ room: null, street: null }))
    .$if(times.delivery === 'in-person', (query) => query.set({ joining_link: null }))
    .where('id', '=', session.id)
    .execute();
  const retimed = before.startTime !== times.startTime || before.endTime !== times.endTime;
  const details = {
    from: session.startsOn,
    to: times.startDate,
    ...(retimed && { time: `${formatTime(times.startTime)} to ${formatTime(times.endTime)}` }),
  };
  const changes = changesBetween(before, { ...onlyTimes(times), decidedBy });
  await record(trx, by, 'move-session', session.slug, details, changes);
  session.startsOn = times.startDate;
  session.endsOn = times.endDate;
  session.enrolmentEndsOn = times.enrolmentEnds;
  session.decidedBy = decidedBy;
  return { ok: true, change, before };
}

/** Changes the capacity of a locked session; never below the seats sold, held and offered, nor its minimum (P27). */
export async function resizeSession(
  trx: Trx,
  session: LockedSession,
  capacity: number,
  by: Acting,
): Promise<
  | { ok: true }
  | { ok: false; reason: 'taken'; taken: number }
  | { ok: false; reason: 'below-minimum'; minimum: number }
  | { ok: false; reason: 'cancelled' }
> {
  requirePermission(by.actor, 'sessions:change');
  if (session.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  const taken = session.capacity - session.left - session.reserved;
  if (capacity < taken) return { ok: false, reason: 'taken', taken };
  if (capacity < session.minimum) return { ok: false, reason: 'below-minimum', minimum: session.minimum };
  await trx.updateTable('training_sessions').set({ capacity }).where('id', '=', session.id).execute();
  const changes = changesBetween({ capacity: session.capacity }, { capacity });
  await record(trx, by, 'resize-session', session.slug, { from: session.capacity, to: capacity }, changes);
  session.left = Math.max(0, capacity - taken - session.reserved);
  session.capacity = capacity;
  return { ok: true };
}

/** Confirms a locked session before its minimum is reached (P39); the invoices that waited for that become due. */
export async function confirmSession(
  trx: Trx,
  session: LockedSession,
  by: Acting,
): Promise<{ ok: true } | { ok: false; reason: 'cancelled' | 'confirmed' }> {
  requirePermission(by.actor, 'sessions:change');
  if (session.state !== 'tentative') return { ok: false, reason: session.state };
  await markConfirmed(trx, session, by.now);
  await trx.updateTable('training_sessions').set({ held_anyway_at: by.now }).where('id', '=', session.id).execute();
  const changes = changesBetween({ state: 'tentative' }, { state: 'confirmed' });
  await record(trx, by, 'confirm-session', session.slug, { sold: session.sold }, changes);
  return { ok: true };
}

/**
 * Cancels a locked session whose last class has not ended and for which nobody has a certificate, and ends every hold of
 * its seats: what was taught to the end is not paid back because nobody answers. Only the session: the caller gives those
 * who enrolled their choice in the same transaction (P40), while their places keep their seats.
 */
export async function cancelSession(
  trx: Trx,
  session: LockedSession,
  by: Acting,
): Promise<{ ok: true } | { ok: false; reason: 'cancelled' | 'over' | 'certified' }> {
  requirePermission(by.actor, 'sessions:change');
  if (session.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  if (session.endsOn < by.today || instantOf(session.endsOn, session.endsAt, session.zone) <= by.now)
    return { ok: false, reason: 'over' };
  if (await isCertified(trx, session.id)) return { ok: false, reason: 'certified' };
  const holds = await trx
    .selectFrom('seat_holds')
    .select('id')
    .where('training_session_id', '=', session.id)
    .where('ended_at', 'is', null)
    .execute();
  for (const { id } of holds) await endHold(trx, session, id, 'released', by.now);
  await trx.updateTable('training_sessions').set({ state: 'cancelled' }).where('id', '=', session.id).execute();
  const changes = changesBetween({ state: session.state }, { state: 'cancelled' });
  await record(trx, by, 'cancel-session', session.slug, { sold: session.sold, holds: holds.length }, changes);
  session.state = 'cancelled';
  return { ok: true };
}

async function isCertified(trx: Trx, sessionId: number): Promise<boolean> {
  const certificate = trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .select('certificates.id')
    .where('training_session_id', '=', sessionId)
    .where('certificates.state', '=', 'issued');
  return (await certificate.limit(1).executeTakeFirst()) !== undefined;
}

/** The slug itself, or with the first number behind it that no session has or had. */
async function freeSlug(trx: Trx, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    const taken = await trx
      .selectFrom('training_sessions')
      .select('slug')
      .where(sql<boolean>`(slug = ${slug} or aliases @> array[${slug}])`)
      .executeTakeFirst();
    if (!taken) return slug;
  }
}

function record(
  trx: Trx,
  { now, actor }: Acting,
  action: string,
  slug: string,
  details: Record<string, string | number>,
  changes: readonly AuditChange[],
): Promise<void> {
  return writeAuditEntry(trx, {
    at: now,
    personId: personIdOf(actor),
    action,
    subject: `training-session:${slug}`,
    details,
    changes,
  });
}
