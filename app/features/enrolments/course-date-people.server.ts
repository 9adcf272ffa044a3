import type { Db } from '#app/db/client.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { maySeeCourseDate } from '#app/features/people/own-course-dates.server.ts';
import { needsFor } from './needs-for-staff.server.ts';

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
