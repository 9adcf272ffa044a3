import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { type CourseContent, type CourseDetails, courseSchema, detailsOf } from './course-schema.ts';
import type { documentNames } from './documents.ts';
import { type ModuleContent, moduleSchema } from './module-schema.ts';
import type { LastingContent } from './records.ts';
import { type Content, contentFiles } from './schema.ts';

/** The live content of the database, dates as stored; null while nothing was ever imported. */
export async function loadContent(trx: Db): Promise<LastingContent | null> {
  const state = await trx.selectFrom('import_state').select('imported_at').executeTakeFirstOrThrow();
  if (!state.imported_at) return null;

  const documents = await trx.selectFrom('site_content').selectAll().execute();
  const document = <Name extends keyof typeof documentNames>(name: Name) =>
    // One of an older shape counts as not there, so that the import that mends it can run.
    contentFiles[name].schema.safeParse(documents.find((row) => row.name === name)?.body).data as Content[Name];
  // Records that name a renamed course get its present slug.
  const presentSlug = await readPresentSlugs(trx);
  const renamed = <T extends { course: string }>(list: T[] | undefined) =>
    list?.map((item) => ({ ...item, course: presentSlug(item.course) })) as T[];

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
    modules: await loadModules(trx),
  };
}

/** Makes a course's present slug of any that it has or had; others stay. */
export async function readPresentSlugs(trx: Db): Promise<(slug: string) => string> {
  const aliases = await trx
    .selectFrom('course_aliases')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['alias', 'slug'])
    .execute();
  const present = new Map(aliases.map(({ alias, slug }) => [alias, slug]));
  return (slug) => present.get(slug) ?? slug;
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
      ...(row.rating === 0 ? {} : { rating: row.rating }),
      published: row.published_on,
      instructor: row.instructor_slug,
      ...optional('exams', row.exams),
      ...optional('needs', row.needs),
      ...optional('leadsTo', row.leads_to),
      description: row.description,
      ...(row.guided ? { guided: true } : {}),
      ...detailsOf(row.details as CourseDetails),
    }),
  );
}

async function loadModules(trx: Db): Promise<ModuleContent[]> {
  const rows = await trx
    .selectFrom('course_modules')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['courses.slug as course', 'number', 'course_modules.title', 'body'])
    .where('course_modules.retired_at', 'is', null)
    .where('courses.retired_at', 'is', null)
    .orderBy(sql`courses.slug collate "C"`)
    .orderBy('number')
    .execute();
  return moduleSchema.array().parse(rows);
}

/** Content files leave an empty list out. */
export function optional(name: string, list: string[]): Record<string, string[]> {
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
