import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { type CourseContent, courseSchema } from './course-schema.ts';
import type { documentNames } from './documents.ts';
import { type Content, contentFiles } from './schema.ts';

/** The live content of the database, dates as stored; null while nothing was ever imported. */
export async function loadContent(trx: Db): Promise<Content | null> {
  const state = await trx.selectFrom('import_state').select('imported_at').executeTakeFirstOrThrow();
  if (!state.imported_at) return null;

  const documents = await trx.selectFrom('site_content').selectAll().execute();
  const document = <Name extends keyof typeof documentNames>(name: Name) =>
    // One of an older shape counts as not there, so that the import that mends it can run.
    contentFiles[name].schema.safeParse(documents.find((row) => row.name === name)?.body).data as Content[Name];
  // Records that name a renamed course get its present slug.
  const aliases = await trx
    .selectFrom('course_aliases')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['alias', 'slug'])
    .execute();
  const present = new Map(aliases.map(({ alias, slug }) => [alias, slug]));
  const renamed = <T extends { course: string }>(list: T[] | undefined) =>
    list?.map((item) => ({ ...item, course: present.get(item.course) ?? item.course })) as T[];

  return {
    site: document('site'),
    categories: await loadCategories(trx),
    tracks: await trx
      .selectFrom('tracks')
      .select(['slug', 'name', 'icon', 'description'])
      .where('retired_at', 'is', null)
      .orderBy('position')
      .$castTo<Content['tracks'][number]>()
      .execute(),
    instructors: await trx
      .selectFrom('instructors')
      .select(['slug', 'name', 'expertise', 'experience', 'biography'])
      .where('retired_at', 'is', null)
      .orderBy('position')
      .execute(),
    certifications: await loadCertifications(trx),
    trainingSessions: await loadTrainingSessions(trx),
    heroSlides: renamed(document('heroSlides')),
    partners: document('partners'),
    combos: await loadCombos(trx),
    questLines: document('questLines')?.map((line) => ({ ...line, steps: renamed(line.steps) })),
    exams: document('exams'),
    promotion: document('promotion'),
    claims: document('claims'),
    pages: document('pages'),
    faq: document('faq'),
    resources: renamed(document('resources')),
    holidays: document('holidays'),
    synonyms: document('synonyms'),
    courses: await loadCourses(trx),
  };
}

async function loadCategories(trx: Db): Promise<Content['categories']> {
  const rows = await trx
    .selectFrom('categories')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  return contentFiles.categories.schema.parse(
    rows.map(({ slug, name, icon, filter_position }) => ({
      slug,
      name,
      icon,
      ...(filter_position === null ? {} : { filter: true }),
    })),
  );
}

async function loadCourses(trx: Db): Promise<CourseContent[]> {
  const related = (relation: 'needs' | 'leads-to') => sql<string[]>`array(
    select other.slug from course_relations join courses other on other.id = other_id
    where course_id = courses.id and relation = ${relation} and other.retired_at is null order by position)`;
  const rows = await trx
    .selectFrom('courses')
    .selectAll()
    .select([
      sql<string[]>`array(select track_slug from course_tracks where course_id = id order by position)`.as('tracks'),
      sql<string[]>`array(select alias from course_aliases where course_id = id order by position)`.as('aliases'),
      related('needs').as('needs'),
      related('leads-to').as('leads_to'),
    ])
    .where('retired_at', 'is', null)
    // As file names sort.
    .orderBy(sql`slug collate "C"`)
    .execute();
  return rows.map((row) =>
    courseSchema.parse({
      slug: row.slug,
      ...optional('aliases', row.aliases),
      title: row.title,
      category: row.category_slug,
      tracks: row.tracks,
      level: row.level,
      price: dollarsFromCents(row.price_cents),
      ...(row.original_price_cents === null ? {} : { originalPrice: dollarsFromCents(row.original_price_cents) }),
      hours: row.hours,
      learners: row.learners,
      rating: row.rating,
      published: row.published_on,
      instructor: row.instructor_slug,
      ...optional('exams', row.exams),
      ...optional('needs', row.needs),
      ...optional('leadsTo', row.leads_to),
      description: row.description,
      overview: row.overview,
      objectives: row.objectives,
      curriculum: row.curriculum,
      prerequisites: row.prerequisites,
      credential: row.credential,
      ...(row.guided ? { guided: true } : {}),
    }),
  );
}

/** Content files leave an empty list out. */
function optional(name: string, list: string[]): Record<string, string[]> {
  return list.length > 0 ? { [name]: list } : {};
}

async function loadCertifications(trx: Db): Promise<Content['certifications']> {
  const groups = await trx
    .selectFrom('certification_groups')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  const rows = await trx
    .selectFrom('certifications')
    .innerJoin('courses', 'courses.id', 'course_id')
    .selectAll('certifications')
    .select('courses.slug as course_slug')
    .where('certifications.retired_at', 'is', null)
    .orderBy('position')
    .execute();
  return contentFiles.certifications.schema.parse(
    groups.map(({ slug, title, description }) => ({
      slug,
      title,
      description,
      certifications: rows
        .filter((row) => row.group_slug === slug)
        .map((row) => ({
          slug: row.slug,
          name: row.name,
          provider: row.provider,
          course: row.course_slug,
          passRate: row.pass_rate,
          ...(row.pass_rate_source === null ? {} : { passRateSource: row.pass_rate_source }),
          jobRoles: row.job_roles,
          description: row.description,
          overview: row.overview,
          exam: row.exam,
          domains: row.domains,
          suits: row.suits,
        })),
    })),
  );
}

async function loadTrainingSessions(trx: Db): Promise<Content['trainingSessions']> {
  const rows = await trx
    .selectFrom('training_sessions')
    .innerJoin('courses', 'courses.id', 'course_id')
    .selectAll('training_sessions')
    .select([
      'courses.slug as course_slug',
      sql<string[]>`array(select alias from training_session_aliases
        where training_session_id = training_sessions.id order by position)`.as('aliases'),
    ])
    .where('training_sessions.retired_at', 'is', null)
    .orderBy('starts_on')
    .orderBy('training_sessions.slug')
    .execute();
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

async function loadCombos(trx: Db): Promise<Content['combos']> {
  const rows = await trx
    .selectFrom('combos')
    .selectAll()
    .select([
      sql<string[]>`array(select courses.slug from combo_courses join courses on courses.id = course_id
        where combo_id = combos.id order by combo_courses.position)`.as('courses'),
      sql<string[]>`array(select alias from combo_aliases where combo_id = combos.id order by position)`.as('aliases'),
    ])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .execute();
  return contentFiles.combos.schema.parse(
    rows.map((row) => ({
      slug: row.slug,
      ...optional('aliases', row.aliases),
      title: row.title,
      description: row.description,
      courses: row.courses,
      discountPercent: row.discount_percent,
    })),
  );
}
