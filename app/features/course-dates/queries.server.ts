import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { seatsLeft, seatsSold } from '#app/features/course-dates/seat-counts.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import type { CourseDate } from './course-date.ts';

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
 * Which course dates are read: those whose last day is not before a day, or those of an address or of some days.
 */
export type CourseDatesWanted =
  | { since: Day }
  /** The slug of a course date or a former one, whenever it was. */
  | { address: string }
  /** Course dates with a day in a range, both ends included. */
  | { from: Day; to: Day };

function wanted(which: CourseDatesWanted) {
  if ('since' in which) return sql<boolean>`ends_on >= ${which.since}`;
  if ('from' in which) return sql<boolean>`ends_on >= ${which.from} and starts_on <= ${which.to}`;
  return sql<boolean>`(slug = ${which.address} or aliases @> array[${which.address}])`;
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
