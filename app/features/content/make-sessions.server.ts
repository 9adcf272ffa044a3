import type { Db } from '#app/db/client.server.ts';
import { type ExtraWeeks, extraWeeksOf } from './holidays.ts';
import type { SessionContent } from './sessions-to-make.ts';
import { type Ids, idOf, idsOf, writeAliases } from './write-aliases.server.ts';
import { insertAll } from './write-rows.server.ts';

/**
 * Makes training sessions that only the files know; from then on they are staff's (P46). `extra` is by how many weeks
 * they were moved beyond the others.
 */
export async function makeSessions(
  trx: Db,
  sessions: SessionContent[],
  courseIds: Ids,
  extra: ExtraWeeks,
  now: Date,
): Promise<void> {
  if (sessions.length === 0) return;
  await insertAll(
    trx,
    'training_sessions',
    sessions.map((session) => ({ ...sessionRow(session, courseIds, extra), made_at: now })),
  );
  await writeAliases(trx, 'training session', sessions, await idsOf(trx, 'training session'));
}

function sessionRow(session: SessionContent, courseIds: Ids, extra: ExtraWeeks) {
  return {
    slug: session.slug,
    course_id: idOf(courseIds, session.course),
    starts_on: session.startDate,
    ends_on: session.endDate,
    starts_at: session.startTime,
    ends_at: session.endTime,
    break_minutes: session.breakMinutes ?? 0,
    extra_weeks: extraWeeksOf(extra, session) ?? 0,
    zone: session.zone,
    delivery: session.delivery,
    venue: session.venue ?? null,
    room: session.room ?? null,
    street: session.street ?? null,
    joining_link: session.joiningLink ?? null,
    instructor_slug: session.instructor,
    capacity: session.capacity,
    minimum: session.minimum,
    decided_by: session.decidedBy ?? null,
    enrolment_ends_on: session.enrolmentEnds,
  };
}
