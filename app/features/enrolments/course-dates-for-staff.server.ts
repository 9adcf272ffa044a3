import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { CourseDateTimes } from '#app/features/course-dates/changed-times.ts';
import { whatOf } from '#app/features/course-dates/clash-words.ts';
import type { Clash } from '#app/features/course-dates/clashes.ts';
import { joiningDetailsKnown } from '#app/features/course-dates/joining-details.server.ts';
import { missingJoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { readInTheWay, readPublicHolidays } from '#app/features/course-dates/plan.server.ts';
import { holidayOf } from '#app/features/course-dates/planner.ts';
import { decisionText, lacksPeople, standingOf } from '#app/features/course-dates/rules.ts';
import { seatsLeft, seatsReserved, takesEnrolmentsOn } from '#app/features/course-dates/seats.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { maySeeCourseDate } from '#app/features/people/queries.server.ts';
import { businessDaysBefore, queenslandHolidays } from '#app/lib/business-days.ts';
import { addDays, type Day, daysBetween, formatDay, formatDays } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { needsFor } from './needs.server.ts';
import { seatsWaiting } from './waiting/queries.server.ts';

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
    .leftJoin('organisations', 'organisations.id', 'course_dates.organisation_id')
    .select(['course_dates.organisation_id', 'legal_name', 'trading_name'])
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
    /** For which organisation only it is held (P114); null for everybody. */
    onlyFor:
      row.organisation_id === null ? null : { id: row.organisation_id, name: row.trading_name ?? row.legal_name ?? '' },
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

/** The attendees of a course date that the person may see, by name; unnamed ones last. Needs: `mayReadNeeds`. */
export async function readAttendees(db: Db, actor: StaffActor, courseDateId: number) {
  if (!(await maySeeCourseDate(db, actor, { id: courseDateId }, 'attendees:read'))) return [];
  return db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .leftJoin('enrolment_list', 'enrolment_list.enrolment_id', 'enrolments.id')
    .select(['places.id', 'attendees.name', 'attendees.email'])
    .select(needsFor(actor))
    .select(['reference', 'buyer_name', 'enrolments.email as buyer_email', 'phone', 'organisation', 'choose_by'])
    .select((eb) => eb(eb.fn.coalesce('balance_cents', eb.lit(0)), '>', eb.lit(0)).as('owes'))
    .where('course_date_id', '=', courseDateId)
    .where('places.state', '<>', 'cancelled')
    .orderBy('attendees.name')
    .orderBy('places.id')
    .execute();
}
export type CourseDateAttendee = Awaited<ReturnType<typeof readAttendees>>[number];

/** The open holds of a course date that the person may see, and its movements, the latest first. */
export async function readSeats(db: Db, actor: StaffActor, courseDateId: number) {
  requirePermission(actor, 'course-dates:read');
  if (!(await maySeeCourseDate(db, actor, { id: courseDateId }))) return { holds: [], movements: [] };
  const holds = await db
    .selectFrom('seat_holds')
    .select(['id', 'seats', 'purpose', 'made_at', 'expires_at', 'extended', 'label'])
    .where('course_date_id', '=', courseDateId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  const movements = await db
    .selectFrom('seat_movements')
    .leftJoin('places', 'places.id', 'place_id')
    .leftJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .leftJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select(['seat_movements.id', 'kind', 'seat_movements.seats', 'at', 'reference', 'purpose', 'ended', 'label'])
    .where('seat_movements.course_date_id', '=', courseDateId)
    .orderBy('seat_movements.id', 'desc')
    .limit(mostMovements)
    .execute();
  return { holds, movements };
}
const mostMovements = 100;

/**
 * Whether a person may take the list of a class away as a file (P68): whoever sees every course date needs the permission
 * for lists, and an instructor has their own class.
 */
export const mayDownloadAttendees = (actor: StaffActor): boolean =>
  onlyCourseDatesOf(actor, 'attendees:read') !== null || actor.can.has('lists:export');

/**
 * Confirmed course dates to come that have too few attendees (P39), by start; without those that staff decided to hold. `today` is the academy's day.
 */
export async function courseDatesBelowMinimum(db: Db, today: Day) {
  return await upcoming(db, today)
    .innerJoin('course_date_seats', 'course_date_seats.course_date_id', 'course_dates.id')
    .select(['minimum', 'sold', 'confirmed_on as confirmedOn'])
    .where(lacksPeople(today))
    .where('starts_on', '>', today)
    .execute();
}

/** How many business days before the first day staff are asked for a room or link that is missing (P39). */
const askDaysBefore = 3;
/** No run of public holidays and weekends is longer. */
const mostDaysBefore = 14;

/**
 * Course dates with attendees that start within three business days and have no room or no link yet, by start, with the
 * missing parts in words; none that began before `today`. With `most` the first so many.
 */
export async function courseDatesWithoutJoiningDetails(db: Db, today: Day, most?: number) {
  const rows = await upcoming(db, today)
    .select(['delivery', 'room', 'street', 'joining_link as joiningLink'])
    .where('course_dates.state', '<>', 'cancelled')
    .where('starts_on', '<=', addDays(today, mostDaysBefore))
    .where(({ not }) => not(joiningDetailsKnown('course_dates')))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .whereRef('course_date_id', '=', 'course_dates.id')
          .where('places.state', '=', 'active'),
      ),
    )
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
  if (rows.length === 0) return [];
  const { holidays } = await readDocuments(db, ['holidays']);
  const closed = queenslandHolidays(holidays);
  return rows
    .filter(({ startsOn }) => today >= businessDaysBefore(startsOn, askDaysBefore, closed))
    .map(({ delivery, ...row }) => ({
      ...row,
      missing: missingJoiningDetails({ ...row, delivery }),
    }));
}

function upcoming(db: Db, today: Day) {
  return db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['course_dates.id', 'course_dates.slug', 'courses.title'])
    .select(['starts_on as startsOn', 'ends_on as endsOn'])
    .where('starts_on', '>=', today)
    .orderBy('starts_on')
    .orderBy('course_dates.id');
}

/** Something looked up about new days: whether it is as it should be, in words. */
export type Check = { fine: boolean | 'no-clash'; text: string };

/** Whether instructor, room and day are free for a course date at other times (P77). */
export async function checkNewDays(
  db: Db,
  actor: StaffActor,
  courseDate: CourseDateForStaff,
  times: CourseDateTimes,
): Promise<Check[]> {
  requirePermission(actor, 'course-dates:change');
  const room = courseDate.venue === times.venue ? courseDate.room : null;
  const inTheWay = await readInTheWay(db, { ...times, courseId: courseDate.courseId, room }, courseDate.slug);
  const said = (kind: Clash, free: string, taken: string): Check => {
    const found = inTheWay.find(({ clashes }) => clashes.includes(kind));
    return found ? { fine: false, text: `${taken}: ${whatOf(found)}` } : { fine: true, text: free };
  };
  const holiday = holidayOf(times, await readPublicHolidays(db));
  return [
    said('instructor', 'The instructor is free', 'The instructor teaches'),
    ...(room ? [said('room', `${room} is free`, `${room} is taken by`)] : []),
    said('course', 'No other date of this course then', 'The same course is held'),
    holiday
      ? { fine: false, text: `${holiday.name} is on ${formatDay(holiday.day)}` }
      : { fine: true, text: 'No public holiday there' },
    ...enrolmentLeft(courseDate, times),
  ];
}

/** A date that comes later would sell its seats for as long as before, unless staff say otherwise. */
function enrolmentLeft(courseDate: CourseDateForStaff, { startDate, enrolmentEnds }: CourseDateTimes): Check[] {
  if (startDate <= courseDate.startDate || enrolmentEnds !== courseDate.enrolmentEnds) return [];
  const days = daysBetween(enrolmentEnds, startDate);
  const text = `Enrolment still ends ${formatDay(enrolmentEnds)}, ${days} days before the first day: you may set a later day`;
  return [{ fine: 'no-clash', text }];
}

/** The attendees of a course date who have another one on some of these days, by name. */
export async function readBusyThen(
  db: Db,
  actor: StaffActor,
  courseDateId: number,
  { startDate, endDate }: Pick<CourseDateTimes, 'startDate' | 'endDate'>,
) {
  requirePermission(actor, 'attendees:read');
  const rows = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('attendees as same', (join) =>
      join.onRef('same.email', '=', 'attendees.email').onRef('same.id', '<>', 'attendees.id'),
    )
    .innerJoin('places as other', 'other.attendee_id', 'same.id')
    .innerJoin('course_dates as held', 'held.id', 'other.course_date_id')
    .innerJoin('courses', 'courses.id', 'held.course_id')
    .select(['places.id', 'attendees.name', 'courses.title', 'held.slug', 'held.starts_on', 'held.ends_on'])
    .where('places.course_date_id', '=', courseDateId)
    .where('places.state', '=', 'active')
    .where('other.state', '=', 'active')
    .where('held.id', '<>', courseDateId)
    .where('held.state', '<>', 'cancelled')
    .where('held.starts_on', '<=', endDate)
    .where('held.ends_on', '>=', startDate)
    .orderBy('attendees.name')
    .execute();
  return rows.map(({ id, name, title, slug, starts_on, ends_on }) => ({
    id,
    name: showControlCharacters(name ?? ''),
    other: `${title}, ${formatDays(starts_on, ends_on)}`,
    slug,
  }));
}
