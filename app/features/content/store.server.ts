import { sql } from 'kysely';
import type { Db } from '../../db/client.server.ts';
import type { DB } from '../../db/schema.ts';
import { centsFromDollars, dollarsFromCents } from '../../lib/money.ts';
import { documentNames, type Plan, type RecordKind } from './plan.ts';
import { type Content, type CourseContent, contentFiles, courseSchema } from './schema.ts';

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

const tableOf = {
  category: 'categories',
  track: 'tracks',
  instructor: 'instructors',
  course: 'courses',
  'certification group': 'certification_groups',
  certification: 'certifications',
  'training session': 'training_sessions',
} as const satisfies Record<Exclude<RecordKind, 'document'>, string>;

/** Writes what the plan names, and only that; records that left the content are retired at `now`, not deleted. */
export async function applyPlan(trx: Db, plan: Plan, content: Content, now: Date): Promise<void> {
  const touched = new Map<RecordKind, Set<string>>();
  for (const { kind, key } of [...plan.added, ...plan.changed]) {
    touched.set(kind, (touched.get(kind) ?? new Set()).add(key));
  }
  const toWrite = <T>(kind: RecordKind, list: T[], keyOf: (item: T) => string) =>
    list.map((item, position) => ({ item, position })).filter(({ item }) => touched.get(kind)?.has(keyOf(item)));

  // Names are freed before others take them.
  const retiredCourses = plan.retired.filter(({ kind }) => kind === 'course').map(({ key }) => key);
  const courses = toWrite('course', content.courses, ({ slug }) => slug).map(({ item }) => item);
  const replaced = [...retiredCourses, ...courses.map(({ slug }) => slug)];
  if (replaced.length > 0) {
    await trx.deleteFrom('course_aliases').where('course_slug', 'in', replaced).execute();
    await trx.deleteFrom('course_tracks').where('course_slug', 'in', replaced).execute();
  }
  for (const { kind, key } of plan.retired) {
    if (kind === 'document') continue;
    await trx.updateTable(tableOf[kind]).set({ retired_at: now }).where('slug', '=', key).execute();
  }

  const documents = toWrite('document', [...documentNames], (name) => name);
  await upsert(
    trx,
    'site_documents',
    'name',
    documents.map(({ item }) => ({ name: item, body: JSON.stringify(content[item]) })),
  );

  const filterSlugs = content.categories.filter(({ filter }) => filter).map(({ slug }) => slug);
  await upsert(
    trx,
    'categories',
    'slug',
    toWrite('category', content.categories, ({ slug }) => slug).map(({ item, position }) => ({
      slug: item.slug,
      name: item.name,
      treasure: item.treasure,
      filter_position: item.filter ? filterSlugs.indexOf(item.slug) + 1 : null,
      position,
      retired_at: null,
    })),
  );
  await upsert(
    trx,
    'tracks',
    'slug',
    toWrite('track', content.tracks, ({ slug }) => slug).map(({ item, position }) => ({
      ...item,
      position,
      retired_at: null,
    })),
  );
  await upsert(
    trx,
    'instructors',
    'slug',
    toWrite('instructor', content.instructors, ({ slug }) => slug).map(({ item, position }) => ({
      ...item,
      position,
      retired_at: null,
    })),
  );
  await upsert(trx, 'courses', 'slug', courses.map(courseRow));
  await upsert(
    trx,
    'course_tracks',
    ['course_slug', 'track_slug'],
    courses.flatMap(({ slug, tracks }) =>
      tracks.map((track_slug, position) => ({ course_slug: slug, track_slug, position })),
    ),
  );
  await upsert(
    trx,
    'course_aliases',
    'alias',
    courses.flatMap(({ slug, aliases = [] }) =>
      aliases.map((alias, position) => ({ alias, course_slug: slug, position })),
    ),
  );
  await upsert(
    trx,
    'certification_groups',
    'slug',
    toWrite('certification group', content.certifications, ({ slug }) => slug).map(({ item, position }) => ({
      slug: item.slug,
      title: item.title,
      description: item.description,
      position,
      retired_at: null,
    })),
  );
  const certifications = content.certifications.flatMap((group) =>
    group.certifications.map((certification, position) => ({ ...certification, group: group.slug, position })),
  );
  await upsert(
    trx,
    'certifications',
    'slug',
    toWrite('certification', certifications, ({ slug }) => slug).map(({ item }) => ({
      slug: item.slug,
      group_slug: item.group,
      course_slug: item.course,
      name: item.name,
      provider: item.provider,
      description: item.description,
      pass_rate: item.passRate,
      job_roles: item.jobRoles,
      overview: item.overview,
      exam: JSON.stringify(item.exam),
      domains: item.domains,
      suits: item.suits,
      position: item.position,
      retired_at: null,
    })),
  );
  await upsert(
    trx,
    'training_sessions',
    'slug',
    toWrite('training session', content.trainingSessions, ({ slug }) => slug).map(({ item }) => ({
      slug: item.slug,
      course_slug: item.course,
      starts_on: item.startDate,
      ends_on: item.endDate,
      starts_at: item.startTime,
      ends_at: item.endTime,
      zone: item.zone,
      mode: item.mode,
      instructor_slug: item.instructor,
      capacity: item.capacity,
      retired_at: null,
    })),
  );
}

function courseRow(course: CourseContent) {
  return {
    slug: course.slug,
    title: course.title,
    category_slug: course.category,
    level: course.level,
    price_cents: centsFromDollars(course.price),
    original_price_cents: course.originalPrice === undefined ? null : centsFromDollars(course.originalPrice),
    hours: course.hours,
    learners: course.learners,
    rating: course.rating,
    published_on: course.published,
    instructor_slug: course.instructor,
    description: course.description,
    overview: course.overview,
    objectives: course.objectives,
    curriculum: JSON.stringify(course.curriculum),
    prerequisites: course.prerequisites,
    certification: course.certification,
    retired_at: null,
  };
}

// Well under PostgreSQL's 65,535 parameters a statement, at up to twenty columns.
const rowsPerStatement = 1000;

async function upsert<Table extends keyof DB & string>(
  trx: Db,
  table: Table,
  key: string | string[],
  rows: Record<string, unknown>[],
): Promise<void> {
  const keys = [key].flat();
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    const columns = Object.keys(some[0] ?? {});
    const values = some.map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`);
    const updates = columns.filter((column) => !keys.includes(column));
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}
      on conflict (${sql.join(keys.map((column) => sql.ref(column)))}) do update set ${sql.join(
        updates.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
      )}`.execute(trx);
  }
}
