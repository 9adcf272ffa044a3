import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { holdSeats, type LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import type { Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { unbookable } from '#app/features/enrolments/placeable.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { record } from './commands.server.ts';
import { lockEntry, lockList, type NoEntry } from './entries.server.ts';
import { queueOffer } from './mails.server.ts';
import { readEntry } from './read-entry.server.ts';
import type { WaitingEntry } from './rules.ts';

/**
 * Offers free seats of a locked course date to the entry that is next (P48); nobody else could take them meanwhile. False
 * when the entry is no longer next. The caller checks that the course date still takes enrolments.
 */
export async function offerInTurn(
  trx: Trx,
  courseDate: LockedCourseDate,
  entryId: number,
  moment: Moment,
): Promise<boolean> {
  await lockList(trx, courseDate.courseId);
  const { rows } = await sql`select from waiting_turns(${courseDate.id}) where entry_id = ${entryId}`.execute(trx);
  if (rows.length === 0) return false;
  const entry = await readEntry(trx, entryId);
  if (!entry || !(await offerTo(trx, { entry, courseDate, seats: entry.seats }, moment))) {
    throw new Error(
      `entry ${entryId} had its turn in locked course date ${courseDate.id}, but could not be offered seats`,
    );
  }
  return true;
}

/** Staff offer by hand and give a reason. Staff see the reason; it is erased with the entry. */
type ByHand = { actor: Actor; reason: string };

async function offerTo(
  trx: Trx,
  { entry, courseDate, seats, by }: { entry: WaitingEntry; courseDate: LockedCourseDate; seats: number; by?: ByHand },
  moment: Moment,
): Promise<boolean> {
  const { now } = moment;
  // The seats reserved for the next entry are the seats this entry is offered.
  const free = courseDate.left + courseDate.reserved;
  const held = await holdSeats(trx, {
    courseDate: Object.assign(courseDate, { left: free, reserved: 0 }),
    seats,
    purpose: 'offer',
    at: now,
    expiresAt: null,
  });
  if (!held.ok) return false;
  const { id } = await trx
    .insertInto('waiting_offers')
    .values({
      entry_id: entry.id,
      course_date_id: courseDate.id,
      hold_id: held.holdId,
      seats,
      made_at: now,
      made_by: by ? personIdOf(by.actor) : null,
      reason: by?.reason ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const mailId = await queueOffer(trx, { entry, offerId: id, courseDate, seats }, moment);
  await trx.updateTable('waiting_offers').set({ mail_id: mailId }).where('id', '=', id).execute();
  return true;
}

export type NotOffered =
  | NoEntry
  | Meanwhile
  | { ok: false; reason: 'closed' | 'offered' | 'course-date-closed' | 'course-date-cancelled' }
  | { ok: false; reason: 'course-date-full'; free: number };

/**
 * Staff offer seats to an entry out of turn (P48): of any course date of its course, up to all free seats, including seats
 * reserved for other entries.
 */
export async function offerByHand(
  trx: Trx,
  { entryId, courseDateId, seats, by }: { entryId: number; courseDateId: number; seats: number; by: ByHand },
  moment: Moment,
): Promise<{ ok: true } | NotOffered> {
  requirePermission(by.actor, 'waiting:change');
  const { now, today } = moment;
  const locked = await lockEntry(trx, entryId, now, [courseDateId]);
  if (!locked.ok) return locked;
  const { entry, courseDates } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  if (entry.offer) return { ok: false, reason: 'offered' };
  const courseDate = courseDates.get(courseDateId);
  const refused = unbookable(courseDate, { courseId: entry.courseId, today });
  if (refused || !courseDate) return { ok: false, reason: refused ?? 'course-date-closed' };
  const free = courseDate.left + courseDate.reserved;
  // There are no more places that could get the date.
  const wanted = entry.enrolmentId === null ? seats : Math.min(seats, entry.seats);
  if (!(await offerTo(trx, { entry, courseDate, seats: wanted, by }, moment))) {
    return { ok: false, reason: 'course-date-full', free };
  }
  await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
  await record(trx, { actor: by.actor, at: now, action: 'offer-seats', reference: entry.reference });
  return { ok: true };
}
