import type { Db } from '#app/db/client.server.ts';
import { contentOf } from './records.ts';
import { readPublished } from './revisions.server.ts';
import { type Content, contentFiles } from './schema.ts';

/**
 * The published content as files that fill another empty database with the same (P95): dates are as they are, and
 * without `asOf` they do not move. Null while the database is empty.
 */
export async function exportContent(db: Db): Promise<Content | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const records = await readPublished(trx);
      return records.length === 0 ? null : { ...contentOf(records), courseDates: await readCourseDates(trx) };
    });
}

/** The course dates for the files: public, not cancelled, past ones too, of courses and instructors that are not retired. */
async function readCourseDates(trx: Db): Promise<Content['courseDates']> {
  const rows = await trx
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .innerJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .selectAll('course_dates')
    .select('courses.slug as course_slug')
    .where('state', '<>', 'cancelled')
    .where('organisation_id', 'is', null)
    .where('courses.retired_at', 'is', null)
    .where('instructors.retired_at', 'is', null)
    .orderBy('starts_on')
    .orderBy('course_dates.slug')
    .execute();
  return contentFiles.courseDates.schema.parse(
    rows.map((row) => ({
      slug: row.slug,
      ...(row.aliases.length === 0 ? {} : { aliases: row.aliases }),
      course: row.course_slug,
      startDate: row.starts_on,
      endDate: row.ends_on,
      startTime: row.starts_at.slice(0, 5),
      endTime: row.ends_at.slice(0, 5),
      ...(row.break_minutes === 0 ? {} : { breakMinutes: row.break_minutes }),
      zone: row.zone,
      delivery: row.delivery,
      ...(row.venue === null ? {} : { venue: row.venue }),
      ...(row.room === null ? {} : { room: row.room }),
      ...(row.street === null ? {} : { street: row.street }),
      ...(row.joining_link === null ? {} : { joiningLink: row.joining_link }),
      instructor: row.instructor_slug,
      capacity: row.capacity,
      minimum: row.minimum,
      ...(row.decided_by === null ? {} : { decidedBy: row.decided_by }),
      enrolmentEnds: row.enrolment_ends_on,
    })),
  );
}

/** The records over which a draft lies, or a revision that is scheduled: an export leaves these values out (P95). */
export async function readDrafts(db: Db): Promise<{ kind: string; key: string; publishAt: Date | null }[]> {
  return db
    .selectFrom('content_records')
    .innerJoin('content_revisions', (join) => join.onRef('record_id', '=', 'id').onRef('number', '=', 'draft'))
    .select(['kind', 'key', 'publish_at as publishAt'])
    .orderBy('kind')
    .orderBy('key')
    .execute();
}
