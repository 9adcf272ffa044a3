import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { absenceNotice } from '#app/emails/places.ts';
import { mailOfInstructor, readTaughtClass } from '#app/features/course-dates/tell-instructors.server.ts';
import { writeAbsenceNotice } from '#app/features/enrolments/absence-notices.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays, type Day, dayIn, daysBetween, formatDay } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { type DayMark, minutesAttended } from './rules.ts';
import { readStudy, type StudyDay } from './study.server.ts';
import { creditPlace, lockPlace } from './xp.server.ts';

/** The times of a tap by the clock of the device, in milliseconds: of the tap and of the sending. */
type Tap = { tappedMs: number; sentMs: number };

/**
 * The instant of a tap, by the clock of the program. A device's clock may be wrong by hours, so only the time that
 * passed on it counts. If the clock was set back in between, the tap counts as sent at once. A tap is never before its
 * day began.
 */
export function tapTime({ tappedMs, sentMs }: Tap, received: Date, { day, zone }: { day: Day; zone: string }): Date {
  const passedMs = Math.max(0, sentMs - tappedMs);
  const earliestMs = instantOf(day, '00:00', zone).getTime();
  return new Date(Math.min(received.getTime(), Math.max(earliestMs, received.getTime() - passedMs)));
}

/** A tap: the mark of one person on one day of a course date. */
export type MarkWish = DayMark & {
  placeId: number;
  courseDateId: number;
  day: Day;
  /** A UUID that the device made for this tap: sent again, it is one mark. */
  key: string;
  /** Null for a form, which is tapped when it arrives. */
  tap: Tap | null;
  /** Why it is corrected after the course; '' during it. */
  reason: string;
  /** Of "All others here": an attendee marked since keeps that mark. */
  onlyUnmarked?: boolean;
};

export type NotMarked = {
  ok: false;
  reason:
    | 'not-in-class'
    | 'no-such-day'
    | 'not-yet'
    | 'too-many-minutes'
    /** The course is over: staff who may correct it give a reason. */
    | 'over'
    | 'no-reason';
};

/**
 * Records a mark of attendance (P59) and writes what it changes to the ledger of XP (P62). Marks are only added; of a
 * day the last by the time of the tap counts, whenever it arrives. An instructor marks in their own course dates, until the
 * last day is over; what they tapped before another instructor got the class counts as well. A phone without reception may send a tap up to two weeks late; it says how old the tap is.
 * `known` says that nothing was written: the tap is recorded already, or the person has a mark and the caller asked to
 * keep existing marks.
 * Throws `NotPermitted` for others.
 */
export async function markDay(
  trx: Trx,
  wish: MarkWish,
  { actor, now }: { actor: StaffActor; now: Date },
): Promise<{ ok: true; known: boolean } | NotMarked> {
  requirePermission(actor, 'attendance:mark');
  const { placeId, day } = wish;
  const found = await trx.selectFrom('places').select('id').where('id', '=', placeId).executeTakeFirst();
  if (!found) return refused('not-in-class');
  await lockPlace(trx, placeId);
  const study = await readStudy(trx, placeId);
  const { courseDateId, state, zone } = study;
  if (courseDateId !== wish.courseDateId || state === 'cancelled') return refused('not-in-class');
  const tappedAt = wish.tap ? tapTime(wish.tap, now, { day, zone }) : now;
  if (!(await isTheirs(trx, actor, courseDateId, tappedAt))) return refused('not-in-class');
  const known = await trx
    .selectFrom('attendance_marks')
    .select('id')
    .where('place_id', '=', placeId)
    .where('client_key', '=', wish.key)
    .executeTakeFirst();
  if (known) return { ok: true, known: true };

  const marked = study.days.find((one) => one.day === day);
  if (!marked) return refused('no-such-day');
  if (wish.onlyUnmarked && marked.mark !== null) return { ok: true, known: true };
  if (dayIn(zone, now) < day) return refused('not-yet');
  if (wish.minutesLate + wish.minutesLeftEarly > marked.minutes) return refused('too-many-minutes');
  const { lastDay } = study;
  const over =
    lastDay !== null && (dayIn(zone, tappedAt) > lastDay || dayIn(zone, now) > addDays(lastDay, daysForTaps));
  if (over && !actor.can.has('attendance:correct')) return refused('over');
  if (over && wish.reason === '') return refused('no-reason');
  const { id } = await trx
    .insertInto('attendance_marks')
    .values({
      place_id: placeId,
      day,
      mark: wish.mark,
      minutes_late: wish.minutesLate,
      minutes_left_early: wish.minutesLeftEarly,
      person_id: actor.person.id,
      tapped_at: tappedAt,
      received_at: now,
      client_key: wish.key,
      reason: over ? wish.reason : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (over) {
    await writeAuditEntry(trx, {
      at: now,
      personId: actor.person.id,
      action: 'correct-attendance',
      subject: `place:${placeId}`,
      details: { mark: id },
      changes: changesOf(day, marked.mark, wish),
    });
  }
  await creditDay(trx, placeId, { before: marked, day, at: now });
  return { ok: true, known: false };
}

/** The days after the last day on which a phone may send earlier taps. */
const daysForTaps = 14;

const refused = (reason: NotMarked['reason']): NotMarked => ({ ok: false, reason });

/** Whether the person may mark in a course date that is held: an instructor in what was their own when they tapped. */
async function isTheirs(trx: Trx, actor: StaffActor, courseDateId: number, tappedAt: Date): Promise<boolean> {
  const only = onlyCourseDatesOf(actor, 'attendance:mark');
  const courseDate = await trx
    .selectFrom('course_dates')
    .select(['slug', 'instructor_slug'])
    .where('id', '=', courseDateId)
    .where('state', '<>', 'cancelled')
    .executeTakeFirst();
  if (!courseDate) return false;
  if (only === null || only.includes(courseDate.instructor_slug)) return true;
  const former = await instructorAt(trx, courseDate.slug, tappedAt);
  return former !== null && only.includes(former);
}

/** The instructor of a course date at an instant, if staff gave it to somebody else since; otherwise null. */
async function instructorAt(trx: Trx, slug: string, at: Date): Promise<string | null> {
  const next = await trx
    .selectFrom('audit_entries')
    .innerJoin('audit_changes', 'entry_id', 'audit_entries.id')
    .select('before')
    .where('subject', '=', `course-date:${slug}`)
    .where('action', '=', 'move-course-date')
    .where('field', '=', 'instructor')
    .where('at', '>', at)
    .orderBy('audit_entries.id')
    .executeTakeFirst();
  return typeof next?.before === 'string' ? next.before : null;
}

/** Credits the mark that counts for a day now, if it says of other minutes than the one before. */
async function creditDay(
  trx: Trx,
  placeId: number,
  { before, day, at }: { before: StudyDay; day: Day; at: Date },
): Promise<void> {
  const { days } = await readStudy(trx, placeId);
  const { mark, minutes } = days.find((one) => one.day === day) ?? before;
  if (!mark || minutesAttended(mark, minutes) === (before.mark ? minutesAttended(before.mark, minutes) : 0)) return;
  const others = await trx
    .selectFrom('attendance_marks')
    .select('id')
    .where('place_id', '=', placeId)
    .where('day', '=', day)
    .where('id', '<>', mark.id)
    .orderBy('id')
    .execute();
  const withdrawn = others.map(({ id }) => ({ kind: 'attendance' as const, id }));
  await creditPlace(trx, placeId, { source: { kind: 'attendance', id: mark.id }, withdrawn, at });
}

function changesOf(day: Day, before: DayMark | null, after: DayMark) {
  const text = (mark: DayMark | null) =>
    mark && `${day}: ${mark.mark}, ${mark.minutesLate} late, ${mark.minutesLeftEarly} left early`;
  const [was, is] = [text(before), text(after)];
  return was === is ? [] : [{ field: 'attendance', before: was, after: is }];
}

/** The days of a place's class that are not over, in the class's own zone; empty without a class. */
export function daysToMiss(place: Place, now: Date): Day[] {
  if (place.way !== 'date' || place.state !== 'active' || place.courseDate.state === 'cancelled') return [];
  const { startsOn, endsOn, endsAt, zone } = place.courseDate;
  return Array.from({ length: daysBetween(startsOn, endsOn) + 1 }, (_, at) => addDays(startsOn, at)).filter(
    (day) => instantOf(day, endsAt, zone) > now,
  );
}

/** An attendee's message that they cannot come: when it was sent, and for which days; without days they come. */
export type Absence = { toldAt: Date; days: Day[]; note: string | null };

/** The newest message of absence, which replaces those before, by place. */
export async function readAbsences(db: Db, placeIds: readonly number[]): Promise<Map<number, Absence[]>> {
  const rows = await db
    .selectFrom('absence_notices')
    .distinctOn('place_id')
    .select(['place_id', 'told_at', 'note'])
    .select(sql<Day[]>`days::text[]`.as('days'))
    .where('place_id', 'in', [0, ...placeIds])
    .orderBy('place_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ place_id, told_at, note, days }) => [place_id, [{ toldAt: told_at, days, note }]]));
}

type NotTold = { ok: false; reason: 'no-class' | 'no-day' };

/**
 * Records the days to come of a course on which an attendee cannot come, in place of the earlier ones (P56); without a
 * day they come on all. The person who marks attendance sees it, and the instructor and the academy are told, once a
 * day for each course. Place and refund stay the same.
 */
export async function tellAbsence(
  trx: Trx,
  { place, reference, days, note }: { place: Place; reference: string; days: readonly Day[]; note: string },
  { now, today, academy }: Moment,
): Promise<{ ok: true } | NotTold> {
  const open = daysToMiss(place, now);
  if (place.way !== 'date' || open.length === 0) return { ok: false, reason: 'no-class' };
  const chosen = open.filter((day) => days.includes(day));
  const attendeeId = place.attendee.id;
  await trx.selectFrom('attendees').select('id').where('id', '=', attendeeId).forUpdate().execute();
  const [before = null] = (await readAbsences(trx, [place.id])).get(place.id) ?? [];
  const known = open.filter((day) => before?.days.includes(day));
  if (chosen.length === 0 && known.length === 0) return { ok: false, reason: 'no-day' };
  if (before && chosen.join() === known.join() && note === (before.note ?? '')) return { ok: true };
  const over = before?.days.filter((day) => !open.includes(day)) ?? [];
  const notice = { placeId: place.id, days: [...over, ...chosen], note: note || null };
  if (await writeAbsenceNotice(trx, notice, { now, today })) return { ok: true };
  const { slug } = place.courseDate;
  const { instructor } = await readTaughtClass(trx, place.courseDate.id);
  const readers = [academy.email, ...(await mailOfInstructor(trx, instructor.slug))];
  for (const to of new Set(readers)) {
    await queueMail(trx, {
      kind: 'absence-notice',
      about: { kind: 'course-date', id: place.courseDate.id },
      to,
      replyTo: place.attendee.email ?? academy.email,
      ...absenceNotice({
        who: place.attendee.name,
        course: place.courseTitle,
        days: chosen.map(formatDay),
        again: known.length > 0,
        note,
        reference,
        link: `${academy.url}/staff/classes/${slug}?day=${chosen[0] ?? known[0]}`,
        academy,
      }),
    });
  }
  return { ok: true };
}
