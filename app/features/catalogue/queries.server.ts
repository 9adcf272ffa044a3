import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { CourseDetails } from '#app/features/content/course-schema.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Level } from '#app/lib/levels.ts';
import type { Category, Certification, CertificationGroup, Instructor, OriginalProof, Track } from './catalogue.ts';
import type { LiveHour } from './live-hours.ts';

/** A course as its row has it, with what hangs on it. `revision` moves with every change of any of that. */
export type CourseRow = {
  id: number;
  slug: string;
  title: string;
  description: string;
  categorySlug: string;
  level: Level;
  /** The period of its price (P76). */
  priceId: number;
  priceCents: number;
  /** Null while nothing proves it, not even the brief (P47). */
  originalPriceCents: number | null;
  originalProof: OriginalProof | null;
  /** The day in Brisbane from which the price is asked. */
  priceSince: Day;
  hours: number;
  learners: number;
  /** Null until people have rated the course. */
  rating: number | null;
  guided: boolean;
  publishedOn: string;
  instructorSlug: string;
  examCodes: string[];
  trackSlugs: string[];
  aliases: string[];
  needs: number[];
  leadsTo: number[];
  /** When it last changed. */
  changedAt: Date;
  revision: number;
};

/** Id and revision of every course on offer: enough to tell which rows have to be read again. */
export async function readRevisions(trx: Db): Promise<{ id: number; revision: number }[]> {
  return trx.selectFrom('courses').select(['id', 'revision']).where('retired_at', 'is', null).execute();
}

/**
 * The proof of the original price of `courses`, with the periods of the ledger that overlap the six months before the
 * present price (P47). A period that ends at midnight has the day before as its last.
 */
const originalProof = sql<OriginalProof | null>`(
  select json_build_object('proof', proof, 'charged', array(
    select json_build_object('from', (lower(part) at time zone 'Australia/Brisbane')::date,
      'until', ((upper(part) - interval '1 millisecond') at time zone 'Australia/Brisbane')::date)
    from unnest(charged_times(courses.id, original_cents)) part
    where upper(part) > from_at - interval '6 months' order by part))
  from prices where prices.course_id = courses.id and until_at is null and original_cents is not null
    and proof is not null)`;

const rowsPerRead = 1000;

/** The courses with these ids, of those on offer. Read in parts, so that a large catalogue never holds up the loop. */
export async function readCourseRows(trx: Db, ids: readonly number[]): Promise<CourseRow[]> {
  const rows: CourseRow[] = [];
  for (let start = 0; start < ids.length; start += rowsPerRead) {
    rows.push(...(await readSomeCourseRows(trx, ids.slice(start, start + rowsPerRead))));
  }
  return rows;
}

async function readSomeCourseRows(trx: Db, ids: readonly number[]): Promise<CourseRow[]> {
  const idsOf = (slugs: 'needs' | 'leads_to') => sql<number[]>`array(
    select other.id::integer from unnest(courses.${sql.ref(slugs)}) with ordinality as named (slug, position)
      join courses as other on other.slug = named.slug order by position)`;
  const rows = await trx
    .selectFrom('courses')
    .select(['id', 'slug', 'title', 'description', 'level', 'hours', 'learners', 'rating', 'guided', 'revision'])
    .select([
      'category_slug as categorySlug',
      sql<number>`(select prices.id from prices where course_id = courses.id and until_at is null)`.as('priceId'),
      'price_cents as priceCents',
      sql<number | null>`(select original_cents from prices where prices.course_id = courses.id and until_at is null
        and proof is not null)`.as('originalPriceCents'),
      originalProof.as('originalProof'),
      sql<Day>`(select (from_at at time zone 'Australia/Brisbane')::date::text from prices
        where prices.course_id = courses.id and until_at is null)`.as('priceSince'),
      'published_on as publishedOn',
      'changed_at as changedAt',
      'instructor_slug as instructorSlug',
      'exams as examCodes',
      'tracks as trackSlugs',
      'aliases',
      idsOf('needs').as('needs'),
      idsOf('leads_to').as('leadsTo'),
    ])
    .where('id', 'in', ids)
    .where('retired_at', 'is', null)
    .execute();
  return rows;
}

type CertificationRow = Omit<Certification, 'course'> & { courseId: number };

/** Everything of the catalogue but the courses themselves. */
export type CatalogueFrame = {
  /** Retired categories too: a course may still be in one. */
  categories: readonly (Category & { retired: boolean })[];
  tracks: readonly Track[];
  instructors: readonly Instructor[];
  certificationGroups: readonly (Omit<CertificationGroup, 'certifications'> & { certifications: CertificationRow[] })[];
  questLines: Content['questLines'];
  exams: Content['exams'];
  synonyms: Content['synonyms'];
  site: Pick<Content['site'], 'hideUnprovedPrices'>;
};

export async function readCatalogueFrame(trx: Db): Promise<CatalogueFrame> {
  const categories = await trx.selectFrom('categories').selectAll().orderBy('position').execute();
  const tracks = await trx
    .selectFrom('tracks')
    .select(['slug', 'name', 'icon', 'description'])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  const instructors = await trx
    .selectFrom('instructors')
    .select(['slug', 'name', 'expertise', 'experience', 'biography'])
    .orderBy('position')
    .execute();
  return {
    categories: categories.map(({ slug, name, icon, filter_position, retired_at }) => ({
      slug,
      name,
      icon,
      inFilter: filter_position !== null,
      retired: retired_at !== null,
    })),
    tracks,
    instructors,
    certificationGroups: await readCertificationGroups(trx),
    ...(await readDocuments(trx, ['questLines', 'exams', 'synonyms', 'site'])),
  };
}

async function readCertificationGroups(trx: Db): Promise<CatalogueFrame['certificationGroups']> {
  const groups = await trx
    .selectFrom('certification_groups')
    .select(['slug', 'title', 'description'])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  const rows = await trx
    .selectFrom('certifications')
    .select(['slug', 'group_slug', 'name', 'provider', 'description', 'overview', 'exam', 'domains', 'suits'])
    .select([
      'pass_rate as passRate',
      'pass_rate_source as passRateSource',
      'job_roles as jobRoles',
      'course_id as courseId',
    ])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  return groups.map((group) => ({
    ...group,
    certifications: rows
      .filter((row) => row.group_slug === group.slug)
      .map(({ group_slug: _, exam, ...row }) => ({ ...row, exam: exam as Certification['exam'] })),
  }));
}

/** The details of a course as its page shows them, with its weekly live hours. */
export type ShownDetails = CourseDetails & {
  liveHours: readonly LiveHour[];
  /** How many modules of its curriculum have a text (P105). */
  modulesWritten: number;
};

/** The long parts of the courses named, each with the revision it was read at. */
export async function readDetails(db: Db, ids: number[]): Promise<Map<number, ShownDetails & { revision: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('courses')
    .select(['id', 'details', 'revision'])
    .select(
      sql<number>`(select count(*)::integer from course_modules
        where course_id = courses.id and course_modules.retired_at is null)`.as('written'),
    )
    .where('id', 'in', ids)
    .where('retired_at', 'is', null)
    .execute();
  const liveHours = await readLiveHours(db, ids);
  // Only the writing of courses, which their schema has read, fills the column.
  return new Map(
    rows.map(({ id, details, revision, written }) => {
      // Until when its words hold is for the academy, not for readers.
      const { facts: _, ...shown } = details as CourseDetails;
      return [id, { ...shown, liveHours: liveHours.get(id) ?? [], modulesWritten: written, revision }];
    }),
  );
}

/** The weekly live hours of some courses (P60), including past ones, by course and first day. */
export async function readLiveHours(db: Db, courseIds: readonly number[]): Promise<Map<number, LiveHour[]>> {
  const rows = await db
    .selectFrom('live_hours')
    .innerJoin('instructors', 'instructors.slug', 'instructor_slug')
    .select(['live_hours.id', 'course_id', 'instructors.name', 'starts_at', 'minutes', 'zone'])
    .select(['first_on', 'last_on', 'ended_from'])
    .where('course_id', 'in', [0, ...courseIds])
    .orderBy('first_on')
    .orderBy('live_hours.id')
    .execute();
  const found = new Map<number, LiveHour[]>();
  for (const { course_id, name, starts_at, first_on, last_on, ended_from, ...row } of rows) {
    const hour = { ...row, instructor: name, startsAt: starts_at.slice(0, 5), firstOn: first_on, lastOn: last_on };
    found.set(course_id, [...(found.get(course_id) ?? []), { ...hour, endedFrom: ended_from }]);
  }
  return found;
}

/** Whether a course has or had this slug. */
export async function wasCourse(db: Db, slug: string): Promise<boolean> {
  const found = await db.selectFrom('courses').select('id').where('slug', '=', slug).executeTakeFirst();
  return found !== undefined;
}

/** The id of a course by its slug; null for an unknown one. */
export async function findCourseId(db: Db, slug: string): Promise<number | null> {
  const row = await db.selectFrom('courses').select('id').where('slug', '=', slug).executeTakeFirst();
  return row?.id ?? null;
}

/** Whether there is an instructor of this slug. */
export async function isInstructor(db: Db, slug: string): Promise<boolean> {
  const row = await db.selectFrom('instructors').select('slug').where('slug', '=', slug).executeTakeFirst();
  return row !== undefined;
}
