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
    // If two programs start at once, one of them fills the database.
    await lockContent(trx);
    if (await hasContent(trx)) return false;
    const moved = moveDates(content, today);
    const changes = changesBetween([], recordsOf(moved));
    await writeChanges(trx, changes, moved, { author: 'files', at: now, note: null });
    // A list without members is a list too.
    const filled = new Set(changes.map(({ kind }) => kind));
    await writeDocuments(trx, new Set(Object.values(documentNames).filter((kind) => !filled.has(kind))), moved, now);
    await makeCourseDates(trx, moved.courseDates, now);
    return true;
  });
}

/** Course dates are no records: from now on staff change them on their own pages. */
async function makeCourseDates(trx: Trx, courseDates: Content['courseDates'], now: Date): Promise<void> {
  const courseIds = await idsOf(trx, 'course');
  const rows = courseDates.map((courseDate) => ({ ...courseDateRow(courseDate, courseIds), made_at: now }));
  await insertAll(trx, 'course_dates', rows);
}

function courseDateRow(courseDate: Content['courseDates'][number], courseIds: Ids) {
  return {
    slug: courseDate.slug,
    aliases: courseDate.aliases ?? [],
    course_id: idOf(courseIds, courseDate.course),
    starts_on: courseDate.startDate,
    ends_on: courseDate.endDate,
    starts_at: courseDate.startTime,
    ends_at: courseDate.endTime,
    break_minutes: courseDate.breakMinutes ?? 0,
    zone: courseDate.zone,
    delivery: courseDate.delivery,
    venue: courseDate.venue ?? null,
    room: courseDate.room ?? null,
    street: courseDate.street ?? null,
    joining_link: courseDate.joiningLink ?? null,
    instructor_slug: courseDate.instructor,
    capacity: courseDate.capacity,
    minimum: courseDate.minimum,
    decided_by: courseDate.decidedBy ?? null,
    enrolment_ends_on: courseDate.enrolmentEnds,
  };
}
