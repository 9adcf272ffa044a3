import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { missingJoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { lacksPeople } from '#app/features/course-dates/lacks-people.ts';
import { seatsLeft, seatsReserved, takesEnrolmentsOn } from '#app/features/course-dates/seat-counts.server.ts';
import { decisionText, standingOf } from '#app/features/course-dates/states.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { seatsWaiting } from './waiting/read-entry.server.ts';

/** A course date as staff see it; null when there is none that the person may see. */
export async function findCourseDate(db: Db, actor: StaffActor, slug: string, today: Day) {
  const row = await courseDateRowsFor(db, actor, today).where('course_dates.slug', '=', slug).executeTakeFirst();
  return row ? courseDateFor(actor, row, today) : null;
}
export type CourseDateForStaff = NonNullable<Awaited<ReturnType<typeof findCourseDate>>>;

/** The course dates with these ids, in their order, as the person may see them. */
export async function readCourseDates(db: Db, actor: StaffActor, ids: readonly number[], today: Day) {
  const rows = await courseDateRowsFor(db, actor, today)
    .where('course_dates.id', 'in', [0, ...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [courseDateFor(actor, row, today)] : [];
  });
}

/** The course dates that the person may see: an instructor sees their own (P68). */
function courseDateRowsFor(db: Db, actor: StaffActor, today: Day) {
  const only = onlyCourseDatesOf(actor);
  return courseDateRows(db, today).$if(only !== null, (query) =>
    query.where('course_dates.instructor_slug', 'in', ['', ...(only ?? [])]),
  );
}

function courseDateRows(db: Db, today: Day) {
  return db
    .selectFrom('course_dates')
    .innerJoin('course_date_seats', 'course_date_seats.course_date_id', 'course_dates.id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .select(['course_dates.id', 'course_dates.slug', 'course_id', 'courses.title', 'courses.slug as course_slug'])
    .select(['starts_on', 'ends_on', 'starts_at', 'ends_at', 'break_minutes', 'zone', 'delivery', 'venue'])
    .select(['room', 'street', 'joining_link', 'held_anyway_at'])

    .select([
      'course_dates.instructor_slug',
      'instructors.name as instructor',
      'state',
      'capacity',
      'minimum',
      'decided_by',
    ])
    .select(['enrolment_ends_on', 'confirmed_on'])
    .select([
      'course_date_seats.sold',
      'course_date_seats.held',
      'course_date_seats.offered',
      lacksPeople(today).as('lacks_people'),
      seatsLeft,
      seatsReserved,
      sql<number>`(select coalesce(sum(price_cents - discount_cents), 0) from places
        where course_date_id = course_dates.id and places.state <> 'cancelled')`.as('charged'),
      sql<number>`(select count(distinct places.enrolment_id) from places
        join enrolment_list using (enrolment_id)
        where course_date_id = course_dates.id and places.state <> 'cancelled' and balance_cents > 0)::integer`.as(
        'unpaid',
      ),
      seatsWaiting,
      lastMovement,
    ]);
}

/** For queries of `course_dates`. */
const lastMovement = sql<number>`(select coalesce(max(id), 0) from seat_movements
  where course_date_id = course_dates.id and kind in ('sale', 'cancellation'))::integer`.as('lastMovement');

/** The id of the latest sale or cancellation of a seat of a course date, 0 for none. */
export async function readLastMovement(trx: Db, courseDateId: number): Promise<number> {
  const row = await trx
    .selectFrom('course_dates')
    .select(lastMovement)
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  return row.lastMovement;
}

type Row = Awaited<ReturnType<ReturnType<typeof courseDateRows>['execute']>>[number];

/** Without its money for those who may not see that. */
function courseDateFor(actor: StaffActor, row: Row, today: Day) {
  const courseDate = courseDateOf(row, today);
  return actor.can.has('money:read') ? courseDate : { ...courseDate, chargedCents: null, unpaid: 0 };
}

function courseDateOf(row: Row, today: Day) {
  const {
    id,
    slug,
    title,
    capacity,
    sold,
    held,
    offered,
    left,
    reserved,
    minimum,
    charged,
    unpaid,
    waiting,
    lastMovement,
    delivery,
    state,
  } = row;
  const joiningDetails = { room: row.room, street: row.street, joiningLink: row.joining_link };
  const dated = { startDate: row.starts_on, endDate: row.ends_on, enrolmentEnds: row.enrolment_ends_on, state };
  return {
    id,
    slug,
    title,
    courseId: row.course_id,
    courseSlug: row.course_slug,
    days: formatDays(row.starts_on, row.ends_on),
    where: taughtText({ delivery, venue: row.venue }),
    instructor: row.instructor ?? row.instructor_slug,
    instructorSlug: row.instructor_slug,
    startsAt: row.starts_at.slice(0, 5),
    endsAt: row.ends_at.slice(0, 5),
    breakMinutes: row.break_minutes,
    zone: row.zone,
    delivery,
    venue: row.venue,
    ...joiningDetails,
    /** The missing parts of its room or link, in words; '' when nothing is missing. */
    joiningDetailsMissing: missingJoiningDetails({ ...joiningDetails, delivery }),
    ...dated,
    decidedBy: row.decided_by,
    confirmedOn: row.confirmed_on,
    minimum,
    capacity,
    sold,
    /** The id of the latest sale or cancellation of a seat, 0 for none: the same as long as the same people are in it. */
    lastMovement,
    held,
    offered,
    /** Seats that anybody may take: without those reserved for the waiting list (P48). */
    left,
    /** Free seats that wait for the next on the waiting list. */
    reserved,
    chargedCents: charged,
    unpaid,
    waiting,
    /** It has come to its first day, which may still take enrolments: from then on only the instructor changes (P59). */
    hasBegun: row.starts_on <= today,
    standing: standingOf({ ...dated, seatsAvailable: left }, today),
    decision: decisionText({ state, minimum, seatsSold: sold, decidedBy: row.decided_by }, today),
    /** Sales confirmed it, too few are left, and staff have not said what becomes of it (P39). */
    belowMinimum: row.lacks_people && row.starts_on > today,
    /** Staff have to decide: its day of decision has come. */
    toDecide: state === 'tentative' && row.decided_by !== null && row.decided_by <= today,
  };
}

/** The dates of a course that take enrolments, by start, full ones among them. A move goes to some of them (`lastFirstDay`). */
export async function openCourseDatesOf(db: Db, actor: StaffActor, courseId: number, today: Day) {
  requirePermission(actor, 'enrolments:change');
  const rows = await courseDateRows(db, today)
    .where('course_id', '=', courseId)
    .where(takesEnrolmentsOn(today))
    .orderBy('starts_on')
    .orderBy('course_dates.id')
    .execute();
  return rows.map((row) => courseDateOf(row, today));
}
