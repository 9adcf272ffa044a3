import { sql } from 'kysely';
import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import { taughtHours } from '#app/lib/taught-hours.ts';
import { formatTime, instantOf, wallClockAt } from '#app/lib/wall-clock.ts';
import { type CourseDateTimes, changeOfTimes, isOtherInstructor, type TimesChange } from './changed-times.ts';
import { columnsOf, type FaultyTimes, faultsOf, hoursFaults, onlyTimes, timesOf } from './course-date-times.server.ts';
import { joiningDetailsColumns } from './joining-details.server.ts';
import type { JoiningDetails } from './joining-details.ts';
import { endHold, type LockedCourseDate } from './seats.server.ts';

/** The actor and the time; `today` is the day in Brisbane. */
type Acting = { actor: Actor; now: Date; today: Day };

export type NewCourseDate = CourseDateTimes & {
  courseId: number;
  capacity: number;
  minimum: number;
  joiningDetails?: JoiningDetails;
  /** For which organisation only it is held (P114); for everybody when it is left out. */
  organisationId?: number | null;
};

/** Its state does not allow it. */
export type WrongState = { ok: false; reason: 'cancelled' | 'begun' };
/** It already has all of these values; nothing was written. */
export type Unchanged = { ok: false; reason: 'unchanged' };

/**
 * Makes a course date, confirmed when it needs no decision, otherwise tentative (P39). Its slug says course, place
 * and first day.
 */
export async function makeCourseDate(
  trx: Trx,
  wish: NewCourseDate,
  by: Acting,
): Promise<{ ok: true; id: number; slug: string } | FaultyTimes> {
  requirePermission(by.actor, 'course-dates:change');
  const course = await trx
    .selectFrom('courses')
    .select('slug')
    .where('id', '=', wish.courseId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  const faults = [...(await faultsOf(trx, wish, by.today)), ...(await hoursFaults(trx, wish.courseId, wish))];
  if (!course) faults.push({ field: 'course', message: 'is not offered' });
  const organisation = wish.organisationId ? await organisationFor(trx, by.actor, wish.organisationId) : null;
  if (organisation === undefined) faults.push({ field: 'organisationId', message: 'is not known any more' });
  if (!course || faults.length > 0) return { ok: false, reason: 'faults', faults };
  const place = wish.venue?.toLowerCase() ?? 'online';
  const slug = await freeSlug(trx, `${course.slug}-${place}-${wish.startDate}`);
  const { id } = await trx
    .insertInto('course_dates')
    .values({
      ...columnsOf(wish),
      ...(wish.joiningDetails && joiningDetailsColumns(wish.joiningDetails, wish.delivery)),
      slug,
      course_id: wish.courseId,
      capacity: wish.capacity,
      minimum: wish.minimum,
      decided_by: wish.decidedBy,
      organisation_id: organisation?.id ?? null,
      made_at: by.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { capacity, minimum } = wish;
  const only = organisation && { onlyFor: organisation.legal_name };
  const changes = changesBetween({}, { course: course.slug, ...onlyTimes(wish), capacity, minimum, ...only });
  await record(trx, by, 'make-course-date', slug, { starts: wish.startDate, seats: wish.capacity }, changes);
  return { ok: true, id, slug };
}

/** Whoever makes a date for an organisation may see organisations (P114). */
async function organisationFor(trx: Trx, actor: Actor, id: number) {
  requirePermission(actor, 'companies:read');
  return trx.selectFrom('organisations').select(['id', 'legal_name']).where('id', '=', id).executeTakeFirst();
}

/**
 * Moves a locked course date to other days, times or another place (P40). It changes the course date only: the caller
 * writes the consequences for people who enrolled in the same transaction, by `change`. After its first class only the
 * instructor changes, until its last day, so that somebody else can teach and mark it (P59). A confirmed course date
 * stays confirmed. A tentative one needs a new day of decision if the old one would be less than 14 days before the
 * first day. The room of another city and the link of a date that is no longer online are removed.
 */
export async function moveCourseDate(
  trx: Trx,
  courseDate: LockedCourseDate,
  times: CourseDateTimes,
  by: Acting,
): Promise<{ ok: true; change: TimesChange; before: CourseDateTimes } | FaultyTimes | WrongState | Unchanged> {
  requirePermission(by.actor, 'course-dates:change');
  if (courseDate.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  const decidedBy = courseDate.state === 'tentative' ? times.decidedBy : null;
  const before = await timesOf(trx, courseDate);
  // In summer its first day begins in Sydney an hour before Brisbane's, and instructors may mark from then on.
  const begun = courseDate.startsOn <= by.today || courseDate.startsOn <= wallClockAt(courseDate.zone, by.now).day;
  const change = changeOfTimes(before, { ...times, decidedBy });
  if (
    begun &&
    (courseDate.endsOn < by.today || (change !== 'nothing' && !isOtherInstructor(before, { ...times, decidedBy })))
  ) {
    return { ok: false, reason: 'begun' };
  }
  if (change === 'nothing') return { ok: false, reason: 'unchanged' };
  const { capacity, minimum } = courseDate;
  const all = await faultsOf(trx, { ...times, decidedBy, capacity, minimum }, by.today);
  // A course date that taught too much before may be moved if it does not teach more than before.
  if (taughtHours(times) > taughtHours(before)) all.push(...(await hoursFaults(trx, courseDate.courseId, times)));
  // Days that have passed are not faults.
  const faults = begun ? all.filter(({ field }) => field === 'instructor') : all;
  if (!begun && courseDate.state === 'tentative' && decidedBy === null) {
    faults.push({ field: 'decidedBy', message: 'is needed until it is confirmed' });
  }
  if (faults.length > 0) return { ok: false, reason: 'faults', faults };
  await trx
    .updateTable('course_dates')
    .set({ ...columnsOf(times), decided_by: decidedBy })
    .$if(before.venue !== times.venue, (query) => query.set({ room: null, street: null }))
    .$if(times.delivery === 'in-person', (query) => query.set({ joining_link: null }))
    .where('id', '=', courseDate.id)
    .execute();
  const retimed = before.startTime !== times.startTime || before.endTime !== times.endTime;
  const details = {
    from: courseDate.startsOn,
    to: times.startDate,
    ...(retimed && { time: `${formatTime(times.startTime)} to ${formatTime(times.endTime)}` }),
  };
  const changes = changesBetween(before, { ...onlyTimes(times), decidedBy });
  await record(trx, by, 'move-course-date', courseDate.slug, details, changes);
  courseDate.startsOn = times.startDate;
  courseDate.endsOn = times.endDate;
  courseDate.enrolmentEndsOn = times.enrolmentEnds;
  courseDate.decidedBy = decidedBy;
  return { ok: true, change, before };
}

/** Changes the capacity of a locked course date; never below the seats sold, held and offered, nor its minimum (P27). */
export async function resizeCourseDate(
  trx: Trx,
  courseDate: LockedCourseDate,
  capacity: number,
  by: Acting,
): Promise<
  | { ok: true }
  | { ok: false; reason: 'taken'; taken: number }
  | { ok: false; reason: 'below-minimum'; minimum: number }
  | { ok: false; reason: 'cancelled' }
> {
  requirePermission(by.actor, 'course-dates:change');
  if (courseDate.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  const taken = courseDate.capacity - courseDate.left - courseDate.reserved;
  if (capacity < taken) return { ok: false, reason: 'taken', taken };
  if (capacity < courseDate.minimum) return { ok: false, reason: 'below-minimum', minimum: courseDate.minimum };
  await trx.updateTable('course_dates').set({ capacity }).where('id', '=', courseDate.id).execute();
  const changes = changesBetween({ capacity: courseDate.capacity }, { capacity });
  await record(trx, by, 'resize-course-date', courseDate.slug, { from: courseDate.capacity, to: capacity }, changes);
  courseDate.left = Math.max(0, capacity - taken - courseDate.reserved);
  courseDate.capacity = capacity;
  return { ok: true };
}

/** Confirms a locked course date before its minimum is reached (P39); the invoices that waited for that become due. */
export async function confirmCourseDate(
  trx: Trx,
  courseDate: LockedCourseDate,
  by: Acting,
): Promise<{ ok: true } | { ok: false; reason: 'cancelled' | 'confirmed' }> {
  requirePermission(by.actor, 'course-dates:change');
  if (courseDate.state !== 'tentative') return { ok: false, reason: courseDate.state };
  await markConfirmed(trx, courseDate, by.now);
  await trx.updateTable('course_dates').set({ held_anyway_at: by.now }).where('id', '=', courseDate.id).execute();
  const changes = changesBetween({ state: 'tentative' }, { state: 'confirmed' });
  await record(trx, by, 'confirm-course-date', courseDate.slug, { sold: courseDate.sold }, changes);
  return { ok: true };
}

/**
 * Cancels a locked course date, unless its last class has ended or somebody has a certificate for it, and ends every
 * hold of its seats: a course taught to its end is not refunded because a buyer does not answer. It changes the course
 * date only: the caller gives its buyers their choice in the same transaction (P40), and their places keep their seats
 * until then.
 */
export async function cancelCourseDate(
  trx: Trx,
  courseDate: LockedCourseDate,
  by: Acting,
): Promise<{ ok: true } | { ok: false; reason: 'cancelled' | 'over' | 'certified' }> {
  requirePermission(by.actor, 'course-dates:change');
  if (courseDate.state === 'cancelled') return { ok: false, reason: 'cancelled' };
  if (courseDate.endsOn < by.today || instantOf(courseDate.endsOn, courseDate.endsAt, courseDate.zone) <= by.now)
    return { ok: false, reason: 'over' };
  if (await isCertified(trx, courseDate.id)) return { ok: false, reason: 'certified' };
  const holds = await trx
    .selectFrom('seat_holds')
    .select('id')
    .where('course_date_id', '=', courseDate.id)
    .where('ended_at', 'is', null)
    .execute();
  for (const { id } of holds) await endHold(trx, courseDate, id, 'released', by.now);
  await trx.updateTable('course_dates').set({ state: 'cancelled' }).where('id', '=', courseDate.id).execute();
  const changes = changesBetween({ state: courseDate.state }, { state: 'cancelled' });
  await record(trx, by, 'cancel-course-date', courseDate.slug, { sold: courseDate.sold, holds: holds.length }, changes);
  courseDate.state = 'cancelled';
  return { ok: true };
}

async function isCertified(trx: Trx, courseDateId: number): Promise<boolean> {
  const certificate = trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .select('certificates.id')
    .where('course_date_id', '=', courseDateId)
    .where('certificates.state', '=', 'issued');
  return (await certificate.limit(1).executeTakeFirst()) !== undefined;
}

/** The slug itself, or with the first number behind it that no course date has or had. */
async function freeSlug(trx: Trx, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    const taken = await trx
      .selectFrom('course_dates')
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
    subject: `course-date:${slug}`,
    details,
    changes,
  });
}

/**
 * Confirms a locked course date whose minimum is reached (P39). Call it after the sale of its seats, in the same
 * transaction. The day of confirmation is taken from `now`. Returns true when this call confirmed it: then invoices
 * become due, and people who enrolled before are told.
 */
export async function confirmIfReached(trx: Trx, courseDate: LockedCourseDate, now: Date): Promise<boolean> {
  if (courseDate.state !== 'tentative' || courseDate.sold < courseDate.minimum) return false;
  await markConfirmed(trx, courseDate, now);
  return true;
}

/** Staff hold a confirmed course date although too few are in it (P39). False when it is not confirmed. */
export async function holdAnyway(
  trx: Trx,
  { id, state }: LockedCourseDate,
  { actor, at }: { actor: Actor; at: Date },
): Promise<boolean> {
  requirePermission(actor, 'course-dates:change');
  if (state !== 'confirmed') return false;
  await trx.updateTable('course_dates').set({ held_anyway_at: at }).where('id', '=', id).execute();
  return true;
}

/** Confirms a locked course date, however many have enrolled. */
async function markConfirmed(trx: Trx, courseDate: LockedCourseDate, now: Date): Promise<void> {
  await trx
    .updateTable('course_dates')
    .set({ state: 'confirmed', confirmed_on: academyDay(now) })
    .where('id', '=', courseDate.id)
    .execute();
  courseDate.state = 'confirmed';
}

/**
 * Lowers the hold of an open offer in a locked course date to `seats` and gives back the others. A hold never changes its
 * seats, so a smaller one replaces it, with the same end and the same draft. `replace` moves the offer to it before the old
 * one ends, because an offer ends with its hold.
 */
export async function shrinkOfferHold(
  trx: Trx,
  courseDate: Pick<LockedCourseDate, 'id' | 'left'>,
  { holdId, seats, at }: { holdId: number; seats: number; at: Date },
  replace: (smaller: number) => Promise<unknown>,
): Promise<void> {
  const hold = await trx
    .selectFrom('seat_holds')
    .select(['course_date_id', 'seats', 'purpose', 'draft_id', 'visitor', 'network', 'made_at', 'expires_at'])
    .select('extended')
    .where('id', '=', holdId)
    .where('purpose', '=', 'waiting-offer')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (hold.seats <= seats) return;
  const { id: smaller } = await trx
    .insertInto('seat_holds')
    .values({ ...hold, seats })
    .returning('id')
    .executeTakeFirstOrThrow();
  await replace(smaller);
  await endHold(trx, courseDate, holdId, 'released', at);
  await trx
    .insertInto('seat_movements')
    .values({ course_date_id: courseDate.id, kind: 'hold', seats, hold_id: smaller, at })
    .execute();
  courseDate.left -= seats;
}
