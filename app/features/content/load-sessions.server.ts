import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { optional } from './load-content.server.ts';
import { contentFiles } from './schema.ts';
import type { KnownSession, SessionContent } from './sessions-to-make.ts';

/**
 * The training sessions that files can hold, dates as stored: those that nobody cancelled, past ones too, of courses and
 * instructors that are still here.
 */
export async function loadSessions(trx: Db): Promise<SessionContent[]> {
  const rows = await sessionRows(trx)
    .innerJoin('instructors', 'instructors.slug', 'training_sessions.instructor_slug')
    .where('training_sessions.retired_at', 'is', null)
    .where('state', '<>', 'cancelled')
    .where('courses.retired_at', 'is', null)
    .where('instructors.retired_at', 'is', null)
    .execute();
  return asContent(rows);
}

/** The training sessions that have or had one of these slugs, whatever became of them. Dates as stored. */
export async function findSessions(trx: Db, slugs: string[]): Promise<KnownSession[]> {
  const rows = await sessionRows(trx).where(named(slugs)).execute();
  const sessions = asContent(rows);
  return rows.flatMap(({ state, retired_at }, at) => {
    const session = sessions[at];
    if (!session) return [];
    return [{ session, now: retired_at !== null ? 'retired' : state === 'cancelled' ? 'cancelled' : 'held' }];
  });
}

/** How many training sessions that are not over on `today` neither have nor had one of these slugs. */
export async function countOtherSessions(trx: Db, slugs: string[], today: Day): Promise<number> {
  const { count } = await trx
    .selectFrom('training_sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('retired_at', 'is', null)
    .where('state', '<>', 'cancelled')
    .where('ends_on', '>=', today)
    .where(sql<boolean>`not ${named(slugs)}`)
    .executeTakeFirstOrThrow();
  return count;
}

const named = (slugs: string[]) => sql<boolean>`(training_sessions.slug = any(${slugs}) or training_sessions.id in
  (select training_session_id from training_session_aliases where alias = any(${slugs})))`;

function sessionRows(trx: Db) {
  return trx
    .selectFrom('training_sessions')
    .innerJoin('courses', 'courses.id', 'course_id')
    .selectAll('training_sessions')
    .select([
      'courses.slug as course_slug',
      sql<string[]>`array(select alias from training_session_aliases
        where training_session_id = training_sessions.id order by position)`.as('aliases'),
    ])
    .orderBy('starts_on')
    .orderBy('training_sessions.slug');
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof sessionRows>['execute']>>[number];

/** Throws where a row has a shape that files cannot have. */
function asContent(rows: SessionRow[]): SessionContent[] {
  return contentFiles.trainingSessions.schema.parse(
    rows.map((row) => ({
      slug: row.slug,
      ...optional('aliases', row.aliases),
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
