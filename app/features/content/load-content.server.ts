import { sql } from 'kysely';
import type { Db } from '../../db/client.server.ts';
import { dollarsFromCents } from '../../lib/money.ts';
import { type CourseContent, courseSchema } from './course-schema.ts';
import type { documentNames } from './plan.ts';
import { type Content, contentFiles } from './schema.ts';

/** The live content of the database, dates as stored; null while nothing was ever imported. */
export async function loadContent(trx: Db): Promise<Content | null> {
  const state = await trx.selectFrom('catalogue_state').select('imported_at').executeTakeFirstOrThrow();
  if (!state.imported_at) return null;

  const documents = await trx.selectFrom('site_documents').selectAll().execute();
  const document = <Name extends (typeof documentNames)[number]>(name: Name) =>
    // One of an older shape counts as not there, so that the import that mends it can run.
    contentFiles[name].schema.safeParse(documents.find((row) => row.name === name)?.body).data as Content[Name];

  return {
    site: document('site'),
    categories: await loadCategories(trx),
    tracks: await trx
      .selectFrom('tracks')
      .select(['slug', 'name', 'treasure', 'description'])
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
    heroSlides: document('heroSlides'),
    partners: document('partners'),
    combos: document('combos'),
    questLines: document('questLines'),
    exams: document('exams'),
    promotion: document('promotion'),
    claims: document('claims'),
    pages: document('pages'),
    faq: document('faq'),
    resources: document('resources'),
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
    rows.map(({ slug, name, treasure, filter_position }) => ({
      slug,
      name,
      treasure,
      ...(filter_position === null ? {} : { filter: true }),
    })),
  );
}

async function loadCourses(trx: Db): Promise<CourseContent[]> {
  const rows = await trx
    .selectFrom('courses')
    .selectAll()
    .select([
      sql<string[]>`array(select track_slug from course_tracks where course_slug = slug order by position)`.as(
        'tracks',
      ),
      sql<string[]>`array(select alias from course_aliases where course_slug = slug order by position)`.as('aliases'),
    ])
    .where('retired_at', 'is', null)
    // As file names sort.
    .orderBy(sql`slug collate "C"`)
    .execute();
  return rows.map((row) =>
    courseSchema.parse({
      slug: row.slug,
      ...(row.aliases.length > 0 ? { aliases: row.aliases } : {}),
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
      ...(row.exams.length > 0 ? { exams: row.exams } : {}),
      ...(row.needs.length > 0 ? { needs: row.needs } : {}),
      ...(row.leads_to.length > 0 ? { leadsTo: row.leads_to } : {}),
      description: row.description,
      overview: row.overview,
      objectives: row.objectives,
      curriculum: row.curriculum,
      prerequisites: row.prerequisites,
      certification: row.certification,
    }),
  );
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
    .selectAll()
    .where('retired_at', 'is', null)
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
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('starts_on')
    .orderBy('slug')
    .execute();
  return contentFiles.trainingSessions.schema.parse(
    rows.map((row) => ({
      slug: row.slug,
      course: row.course_slug,
      startDate: row.starts_on,
      endDate: row.ends_on,
      startTime: row.starts_at.slice(0, 5),
      endTime: row.ends_at.slice(0, 5),
      zone: row.zone,
      mode: row.mode,
      instructor: row.instructor_slug,
      capacity: row.capacity,
    })),
  );
}
