import type { Db, Trx } from '#app/db/client.server.ts';
import {
  type CourseDateFault,
  courseDateFaults,
  courseDatePlaceFault,
  zoneOfVenue,
} from '#app/features/content/rules.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { formatCount } from '#app/lib/money.ts';
import { taughtHours } from '#app/lib/taught-hours.ts';
import { type CourseDateTimes, timesFields } from './changed-times.ts';

/** The typed times have faults; nothing was written. */
export type FaultyTimes = { ok: false; reason: 'faults'; faults: (CourseDateFault | StaffFault)[] };
type StaffFault = { field: 'instructor' | 'course' | 'organisationId'; message: string };

type Checked = CourseDateTimes & { capacity: number; minimum: number };

/** The faults of the typed times of a course date. */
export async function faultsOf(trx: Db, wish: Checked, today: Day): Promise<FaultyTimes['faults']> {
  const { venue, decidedBy, ...times } = wish;
  const place = { delivery: wish.delivery, zone: zoneOfVenue(venue) ?? '', ...(venue !== null && { venue }) };
  const faults: FaultyTimes['faults'] = courseDateFaults({
    ...times,
    ...place,
    ...(decidedBy !== null && { decidedBy }),
  });
  const misplaced = courseDatePlaceFault(place);
  if (misplaced) faults.push(misplaced);
  if (wish.startDate <= today) faults.push({ field: 'startDate', message: 'is not after today' });
  if (decidedBy !== null && decidedBy < today) faults.push({ field: 'decidedBy', message: 'is over' });
  const instructor = await trx
    .selectFrom('instructors')
    .select('slug')
    .where('slug', '=', wish.instructor)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (!instructor) faults.push({ field: 'instructor', message: 'is not one of ours' });
  return faults;
}

/**
 * The fault of times that teach more hours than the course has: who was there for all that they bought would miss the
 * share of the hours that a certificate needs.
 */
export async function hoursFaults(
  db: Db,
  courseId: number,
  times: Pick<CourseDateTimes, 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'breakMinutes'>,
): Promise<CourseDateFault[]> {
  const course = await db.selectFrom('courses').select('hours').where('id', '=', courseId).executeTakeFirst();
  const taught = taughtHours(times);
  if (!course || taught <= course.hours) return [];
  return [
    {
      field: 'endTime',
      message: `makes ${formatCount(taught)} hours of teaching, more than the ${course.hours} of the course: choose fewer days or shorter ones`,
    },
  ];
}

/** The times as stored; a course date that is decided has no day of decision any more. */
export async function timesOf(trx: Trx, { id, state }: LockedCourseDate): Promise<CourseDateTimes> {
  const row = await trx.selectFrom('course_dates').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    startDate: row.starts_on,
    endDate: row.ends_on,
    startTime: row.starts_at.slice(0, 5),
    endTime: row.ends_at.slice(0, 5),
    breakMinutes: row.break_minutes,
    delivery: row.delivery,
    venue: row.venue,
    instructor: row.instructor_slug,
    enrolmentEnds: row.enrolment_ends_on,
    decidedBy: state === 'tentative' ? row.decided_by : null,
  };
}

/** The times without whatever else a form has. */
export const onlyTimes = (times: CourseDateTimes) =>
  Object.fromEntries(timesFields.map((field) => [field, times[field]]));

/** The columns that hold the times. */
export function columnsOf(times: CourseDateTimes) {
  return {
    starts_on: times.startDate,
    ends_on: times.endDate,
    starts_at: times.startTime,
    ends_at: times.endTime,
    break_minutes: times.breakMinutes,
    zone: zoneOfVenue(times.venue) ?? '',
    delivery: times.delivery,
    venue: times.venue,
    instructor_slug: times.instructor,
    enrolment_ends_on: times.enrolmentEnds,
  };
}
