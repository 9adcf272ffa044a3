import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { onlySessionsOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { seatsLeft, seatsReserved, takesEnrolmentsOn } from '#app/features/seats/queries.server.ts';
import { lacksPeople } from '#app/features/sessions/lacks-people.ts';
import { decisionText, standingOf } from '#app/features/sessions/states.ts';
import { missingWayIn } from '#app/features/sessions/way-in.ts';
import { seatsWaiting } from '#app/features/waiting/read-entry.server.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';

/** A training session as staff see it; null when there is none that the person may see. */
export async function findSession(db: Db, actor: StaffActor, slug: string, today: Day) {
  const row = await sessionRowsFor(db, actor, today).where('training_sessions.slug', '=', slug).executeTakeFirst();
  return row ? sessionFor(actor, row, today) : null;
}
export type SessionForStaff = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** The sessions with these ids, in their order, as the person may see them. */
export async function readSessions(db: Db, actor: StaffActor, ids: readonly number[], today: Day) {
  const rows = await sessionRowsFor(db, actor, today)
    .where('training_sessions.id', 'in', [0, ...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [sessionFor(actor, row, today)] : [];
  });
}

/** The sessions that the person may see: an instructor sees their own (P68). */
function sessionRowsFor(db: Db, actor: StaffActor, today: Day) {
  const only = onlySessionsOf(actor);
  return sessionRows(db, today).$if(only !== null, (query) =>
    query.where('training_sessions.instructor_slug', 'in', ['', ...(only ?? [])]),
  );
}

function sessionRows(db: Db, today: Day) {
  return db
    .selectFrom('training_sessions')
    .innerJoin('session_seats', 'session_seats.training_session_id', 'training_sessions.id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'training_sessions.instructor_slug')
    .select([
      'training_sessions.id',
      'training_sessions.slug',
      'course_id',
      'courses.title',
      'courses.slug as course_slug',
    ])
    .select(['starts_on', 'ends_on', 'starts_at', 'ends_at', 'break_minutes', 'zone', 'delivery', 'venue'])
    .select(['room', 'street', 'joining_link', 'held_anyway_at'])

    .select([
      'training_sessions.instructor_slug',
      'instructors.name as instructor',
      'state',
      'capacity',
      'minimum',
      'decided_by',
    ])
    .select(['enrolment_ends_on', 'confirmed_on'])
    .select([
      'session_seats.sold',
      'session_seats.held',
      'session_seats.offered',
      lacksPeople(today).as('lacks_people'),
      seatsLeft,
      seatsReserved,
      sql<number>`(select coalesce(sum(price_cents - discount_cents), 0) from places
        where training_session_id = training_sessions.id and places.state <> 'cancelled')`.as('charged'),
      sql<number>`(select count(distinct places.enrolment_id) from places
        join enrolment_list using (enrolment_id)
        where training_session_id = training_sessions.id and places.state <> 'cancelled' and balance_cents > 0)::integer`.as(
        'unpaid',
      ),
      seatsWaiting,
      lastMovement,
    ]);
}

/** For queries of `training_sessions`. */
const lastMovement = sql<number>`(select coalesce(max(id), 0) from seat_movements
  where training_session_id = training_sessions.id and kind in ('sale', 'cancellation'))::integer`.as('lastMovement');

/** The id of the latest sale or cancellation of a seat of a training session, 0 for none. */
export async function readLastMovement(trx: Db, sessionId: number): Promise<number> {
  const row = await trx
    .selectFrom('training_sessions')
    .select(lastMovement)
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return row.lastMovement;
}

type Row = Awaited<ReturnType<ReturnType<typeof sessionRows>['execute']>>[number];

/** Without its money for those who may not see that. */
function sessionFor(actor: StaffActor, row: Row, today: Day) {
  const session = sessionOf(row, today);
  return actor.can.has('money:read') ? session : { ...session, chargedCents: null, unpaid: 0 };
}

function sessionOf(row: Row, today: Day) {
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
  const wayIn = { room: row.room, street: row.street, joiningLink: row.joining_link };
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
    ...wayIn,
    /** The missing parts of its room or link, in words; '' when nothing is missing. */
    wayInMissing: missingWayIn({ ...wayIn, delivery }),
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
export async function openSessionsOf(db: Db, actor: StaffActor, courseId: number, today: Day) {
  requirePermission(actor, 'enrolments:change');
  const rows = await sessionRows(db, today)
    .where('course_id', '=', courseId)
    .where(takesEnrolmentsOn(today))
    .orderBy('starts_on')
    .orderBy('training_sessions.id')
    .execute();
  return rows.map((row) => sessionOf(row, today));
}
