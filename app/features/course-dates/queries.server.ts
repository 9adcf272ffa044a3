import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, dayIn } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { CourseDate } from './course-date.ts';
import { readHeldHours } from './held-hours.server.ts';
import { readBusy, readPlannedOf, readPublicHolidays } from './plan.server.ts';
import { seatsLeft, seatsSold, takesEnrolmentsOn } from './seats.server.ts';
import { hasDayIn } from './under-way.server.ts';

/** The row of a course date, without the columns of `SeatsRow`. */
export type CourseDateRow = {
  id: number;
  slug: string;
  courseId: number;
  startDate: string;
  endDate: string;
  startTime: string;
  endTime: string;
  /** Minutes of breaks on each day. */
  breakMinutes: number;
  zone: string;
  delivery: Delivery;
  venue: string | null;
  room: string | null;
  street: string | null;
  instructorSlug: string;
  minimum: number;
  decidedBy: string | null;
  enrolmentEnds: string;
  calendarId: string;
  madeAt: Date;
  aliases: string[];
};

/**
 * Which course dates are read: those whose last day is not before a day, or those of an address or of some days. Of these
 * nobody reads one that is held for an organisation (P114): only its own offers and enrolments name it, by id.
 */
export type CourseDatesWanted =
  | { since: Day }
  /** The slug of a course date or a former one, whenever it was. */
  | { address: string }
  /** Course dates with a day in a range, both ends included. */
  | { from: Day; to: Day }
  | { ids: readonly number[] };

const isPublic = sql<boolean>`organisation_id is null`;

function wanted(which: CourseDatesWanted) {
  if ('ids' in which) return sql<boolean>`id = any(${[...which.ids]}::bigint[])`;
  if ('since' in which) return sql<boolean>`ends_on >= ${which.since} and ${isPublic}`;
  if ('from' in which) return sql<boolean>`ends_on >= ${which.from} and starts_on <= ${which.to} and ${isPublic}`;
  return sql<boolean>`(slug = ${which.address} or aliases @> array[${which.address}]) and ${isPublic}`;
}

/** Course dates ordered by start. */
export async function readCourseDateRows(trx: Db, which: CourseDatesWanted): Promise<CourseDateRow[]> {
  const rows = await trx
    .selectFrom('course_dates')
    .select(['id', 'slug', 'zone', 'delivery', 'venue', 'room', 'street', 'starts_at', 'ends_at', 'minimum'])
    .select([
      'course_id as courseId',
      'starts_on as startDate',
      'ends_on as endDate',
      'instructor_slug as instructorSlug',
      'break_minutes as breakMinutes',
      'decided_by as decidedBy',
      'enrolment_ends_on as enrolmentEnds',
      'calendar_id as calendarId',
      'made_at as madeAt',
      'aliases',
    ])
    .where(wanted(which))
    .orderBy('starts_on')
    .orderBy('slug')
    .execute();
  return rows.map(({ starts_at, ends_at, delivery, ...row }) => ({
    ...row,
    startTime: starts_at.slice(0, 5),
    endTime: ends_at.slice(0, 5),
    delivery,
  }));
}

/** The columns that change with sales and decisions; they have a version of their own. */
export type SeatsRow = {
  id: number;
  left: number;
  sold: number;
  state: CourseDate['state'];
  /** How often the course date changed, its state included, and when it last did. */
  revision: number;
  changedAt: Date;
};

/** Seats left and sold and whether it is held, by the id of the course date (P27, P39). */
export async function readSeats(trx: Db, which: CourseDatesWanted): Promise<Map<number, SeatsRow>> {
  const rows = await seatsQuery(trx, which).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The query of `readSeats`, for tests that read its plan. */
export const seatsQuery = (trx: Db, which: CourseDatesWanted) =>
  trx
    .selectFrom('course_dates')
    .select(['id', 'state', 'revision', 'changed_at as changedAt', seatsLeft, seatsSold])
    .where(wanted(which));

/** The id of a course date by its slug; null for an unknown one. */
export async function findCourseDateId(db: Db, slug: string): Promise<number | null> {
  const row = await db.selectFrom('course_dates').select('id').where('slug', '=', slug).executeTakeFirst();
  return row?.id ?? null;
}

/** The room in which a course date is taught; null while it has none. */
export async function readRoom(db: Db, courseDateId: number): Promise<string | null> {
  const query = db.selectFrom('course_dates').select('room').where('id', '=', courseDateId);
  return (await query.executeTakeFirstOrThrow()).room;
}

/**
 * Where somebody begins who only teaches (P59): in the class that they hold today, in the list when there are several, on
 * their first page when none is on; null for those who see all course dates.
 */
export async function ownStart(db: Db, actor: StaffActor, now: Date): Promise<string | null> {
  if (!actor.can.has('attendance:mark') || !actor.can.has('course-dates:read')) return null;
  const only = onlyCourseDatesOf(actor);
  if (only === null) return null;
  if (only.length === 0) return href('/staff/today');
  const rows = await db
    .selectFrom('course_dates')
    .select(['slug', 'zone', 'starts_on', 'ends_on'])
    .where('instructor_slug', 'in', [...only])
    .where('state', '<>', 'cancelled')
    // No zone is a day away from UTC.
    .where(hasDayIn(addDays(dayIn('UTC', now), -1), addDays(dayIn('UTC', now), 1)))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .whereRef('course_date_id', '=', 'course_dates.id')
          .where('places.state', '<>', 'cancelled'),
      ),
    )
    .execute();
  const today = rows.filter(({ zone, starts_on, ends_on }) => {
    const day = dayIn(zone, now);
    return starts_on <= day && day <= ends_on;
  });
  const [one] = today;
  if (!one) return href('/staff/today');
  return today.length > 1 ? href('/staff/classes') : href('/staff/classes/:slug', { slug: one.slug });
}

/**
 * The course dates around some days that the person may see, an instructor their own (P68), the live hours with which
 * they may clash, and the public holidays. A day more on both sides: an instant of one zone is another day in another
 * one.
 */
export async function readCalendar(db: Db, actor: StaffActor, { from, to }: { from: Day; to: Day }) {
  const only = onlyCourseDatesOf(actor);
  const busy = await readBusy(db, { from: addDays(from, -1), to: addDays(to, 1) });
  return {
    busy: busy.filter(({ instructor }) => only === null || only.includes(instructor)),
    hours: await readHeldHours(db, { from: addDays(from, -1), to: addDays(to, 1) }),
    holidays: await readPublicHolidays(db),
  };
}

/** The day from which the calendar shows something: today, or the first day of the next date when that is later. */
export async function readNextDay(db: Db, actor: StaffActor, today: Day): Promise<Day> {
  requirePermission(actor, 'course-dates:read');
  const next = await db
    .selectFrom('course_dates')
    .select(({ fn }) => fn.min('starts_on').as('day'))
    .where('ends_on', '>=', today)
    .where('state', '!=', 'cancelled')
    .executeTakeFirst();
  return next?.day && next.day > today ? next.day : today;
}

/** The course dates that are drawn, of those that `readCalendar` found for the person, by id. */
export async function readDrawn(db: Db, actor: StaffActor, ids: readonly number[]) {
  requirePermission(actor, 'course-dates:read');
  return new Map((await readPlannedOf(db, ids)).map((courseDate) => [courseDate.id, courseDate]));
}

/** Seats of a waiting list that are offered to somebody who has not bought them. */
export type OwnOffer = { holdId: number; courseDateId: number; seats: number };

/**
 * The open offers to an address of seats that are not bought yet, by course date. Who has a place on another date of
 * the course can move it there by them (P40, P48). Only the same spelling of the address counts: others may be somebody
 * else's.
 */
export async function readOwnOffers(db: Db, email: string): Promise<Map<number, OwnOffer>> {
  const offers = await db
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select(['hold_id as holdId', 'waiting_offers.course_date_id as courseDateId', 'seat_holds.seats'])
    .where('mailbox', '=', mailboxOf(email))
    .where('waiting_entries.email', '=', email)
    .where('waiting_entries.enrolment_id', 'is', null)
    .where('waiting_offers.ended_at', 'is', null)
    .where('seat_holds.ended_at', 'is', null)
    .orderBy('waiting_offers.id')
    .execute();
  return new Map(offers.map((offer) => [offer.courseDateId, offer]));
}

/** How far ahead a course that sells needs a date, and how far back a sale counts. */
const aheadDays = 90;
const soldWithinDays = 365;

/**
 * Courses that sell, or for whose next date somebody waits, and that have no date in the next 90 days that still takes
 * enrolments (P77); those most asked for first. `waiting` are seats asked for and places paid for the next date; `sells`
 * says that a place of the last year was not cancelled.
 */
export async function coursesWithoutDates(
  db: Db,
  actor: StaffActor,
  today: Day,
): Promise<{ slug: string; title: string; sells: boolean; waiting: number; nextDate: Day | null }[]> {
  requirePermission(actor, 'course-dates:read-all');
  const since = instantOf(addDays(today, -soldWithinDays), '00:00', academyZone);
  const { rows } = await sql<{
    slug: string;
    title: string;
    sells: boolean;
    waiting: number;
    nextDate: Day | null;
  }>`
    with asked as (
      select course_id, sum(seats)::integer as waiting
      from (
        select course_id, seats from waiting_entries
          where closed_at is null and course_date_id is null and enrolment_id is null and confirmed_at is not null
        union all
        select course_id, 1 from places where way = 'next-date' and state = 'active') entries
      group by course_id),
    without as materialized (
      select courses.id, slug, title, next.starts_on as next_date from courses
        left join lateral (
          select starts_on from course_dates course_date
          where course_date.course_id = courses.id and organisation_id is null and ${takesEnrolmentsOn(today, 'course_date')}
          order by starts_on limit 1) as next on true
      where courses.retired_at is null
        and (next.starts_on is null or next.starts_on > ${addDays(today, aheadDays)}))
    select slug, title, sells, coalesce(waiting, 0) as waiting, next_date as "nextDate"
    from without
      left join asked on asked.course_id = without.id
      cross join lateral (
        select exists (
          select from places where course_id = without.id and state <> 'cancelled' and placed_at >= ${since}) as sells
      ) sold
    where sells or waiting > 0
    order by coalesce(waiting, 0) desc, title`.execute(db);
  return rows;
}

/** The ids of course dates by slug, by start; `only`: those of these instructors, null for all. */
export async function findCourseDateIds(db: Db, slugs: readonly string[], only: readonly string[] | null) {
  const rows = await db
    .selectFrom('course_dates')
    .select('id')
    .where('slug', 'in', ['', ...slugs])
    .$if(only !== null, (query) => query.where('instructor_slug', 'in', ['', ...(only ?? [])]))
    .orderBy('starts_on')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
