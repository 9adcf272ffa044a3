import type { Db, Trx } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { moveDates } from './calendar.ts';
import { changesBetween, documentNames, recordsOf } from './records.ts';
import { hasContent, lockContent, writeChanges } from './revisions.server.ts';
import type { Content } from './schema.ts';
import { type Ids, idOf, idsOf, insertAll, writeDocuments } from './write-tables.server.ts';

/**
 * Fills an empty database with sound content, every record as its first revision (P95). Its dates move with the day
 * (P13). False, and nothing is written, when the database has content.
 */
export async function fillDatabase(
  db: Db,
  content: Content,
  { now, today }: { now: Date; today: Day },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // Of two programs that start at once, one fills it.
    await lockContent(trx);
    if (await hasContent(trx)) return false;
    const moved = moveDates(content, today);
    const changes = changesBetween([], recordsOf(moved));
    await writeChanges(trx, changes, moved, { author: 'files', at: now, note: null });
    // A list without members is a list too.
    const filled = new Set(changes.map(({ kind }) => kind));
    await writeDocuments(trx, new Set(Object.values(documentNames).filter((kind) => !filled.has(kind))), moved, now);
    await makeSessions(trx, moved.trainingSessions, now);
    return true;
  });
}

/** Training sessions are no records: from now on staff change them on their own pages. */
async function makeSessions(trx: Trx, sessions: Content['trainingSessions'], now: Date): Promise<void> {
  const courseIds = await idsOf(trx, 'course');
  const rows = sessions.map((session) => ({ ...sessionRow(session, courseIds), made_at: now }));
  await insertAll(trx, 'training_sessions', rows);
}

function sessionRow(session: Content['trainingSessions'][number], courseIds: Ids) {
  return {
    slug: session.slug,
    aliases: session.aliases ?? [],
    course_id: idOf(courseIds, session.course),
    starts_on: session.startDate,
    ends_on: session.endDate,
    starts_at: session.startTime,
    ends_at: session.endTime,
    break_minutes: session.breakMinutes ?? 0,
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
