import type { Db } from '#app/db/client.server.ts';
import { needsFor } from '#app/features/enrolments/needs-for-staff.server.ts';
import { onlySessionsOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { maySeeSession } from '#app/features/people/own-sessions.server.ts';

/** The attendees of a training session that the person may see, by name; unnamed ones last. Needs: `mayReadNeeds`. */
export async function readAttendees(db: Db, actor: StaffActor, sessionId: number) {
  if (!(await maySeeSession(db, actor, { id: sessionId }, 'attendees:read'))) return [];
  return db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .leftJoin('enrolment_list', 'enrolment_list.enrolment_id', 'enrolments.id')
    .select(['places.id', 'attendees.name', 'attendees.email'])
    .select(needsFor(actor))
    .select(['reference', 'buyer_name', 'enrolments.email as buyer_email', 'phone', 'organisation', 'choose_by'])
    .select((eb) => eb(eb.fn.coalesce('balance_cents', eb.lit(0)), '>', eb.lit(0)).as('owes'))
    .where('training_session_id', '=', sessionId)
    .where('places.state', '<>', 'cancelled')
    .orderBy('attendees.name')
    .orderBy('places.id')
    .execute();
}
export type SessionAttendee = Awaited<ReturnType<typeof readAttendees>>[number];

/** The open holds of a training session that the person may see, and its movements, the latest first. */
export async function readSeats(db: Db, actor: StaffActor, sessionId: number) {
  requirePermission(actor, 'sessions:read');
  if (!(await maySeeSession(db, actor, { id: sessionId }))) return { holds: [], movements: [] };
  const holds = await db
    .selectFrom('seat_holds')
    .select(['id', 'seats', 'purpose', 'made_at', 'expires_at', 'extended', 'label'])
    .where('training_session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  const movements = await db
    .selectFrom('seat_movements')
    .leftJoin('places', 'places.id', 'place_id')
    .leftJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .leftJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select(['seat_movements.id', 'kind', 'seat_movements.seats', 'at', 'reference', 'purpose', 'ended', 'label'])
    .where('seat_movements.training_session_id', '=', sessionId)
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
  onlySessionsOf(actor, 'attendees:read') !== null || actor.can.has('lists:export');
