import { sql } from 'kysely';
import type { Db } from '../../db/client.server.ts';
import type { DB } from '../../db/schema.ts';
import { centsFromDollars } from '../../lib/money.ts';
import type { CourseContent } from './course-schema.ts';
import { documentNames, type Plan, type RecordKind } from './plan.ts';
import type { Content } from './schema.ts';

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
    exams: course.exams ?? [],
    needs: course.needs ?? [],
    leads_to: course.leadsTo ?? [],
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
