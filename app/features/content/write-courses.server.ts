import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { centsFromDollars } from '#app/lib/money.ts';
import { type CourseContent, detailsOf } from './course-schema.ts';
import { type Ids, idOf, idsOf, writeAliases } from './write-aliases.server.ts';
import { insertAll, upsert } from './write-rows.server.ts';

/** Writes courses with their tracks, relations and former slugs; the ids of all courses by slug. */
export async function writeCourses(trx: Db, courses: CourseContent[]): Promise<Ids> {
  await upsert(trx, 'courses', 'slug', courses.map(courseRow));
  const ids = await idsOf(trx, 'course');
  await writeCourseParts(trx, courses, ids);
  return ids;
}

async function writeCourseParts(trx: Db, courses: CourseContent[], ids: Ids): Promise<void> {
  await replaceParts(
    trx,
    'course_tracks',
    courses.map(({ slug, tracks }) => ({
      owner: idOf(ids, slug),
      rows: tracks.map((track_slug, position) => ({ track_slug, position })),
    })),
  );
  await replaceParts(
    trx,
    'course_relations',
    courses.map(({ slug, needs = [], leadsTo = [] }) => ({
      owner: idOf(ids, slug),
      rows: [
        ...needs.map((other, position) => ({ relation: 'needs', other_id: idOf(ids, other), position })),
        ...leadsTo.map((other, position) => ({ relation: 'leads-to', other_id: idOf(ids, other), position })),
      ],
    })),
  );
  await writeAliases(trx, 'course', courses, ids);
}

async function replaceParts(
  trx: Db,
  table: 'course_tracks' | 'course_relations',
  parts: { owner: number; rows: Record<string, unknown>[] }[],
): Promise<void> {
  if (parts.length === 0) return;
  await trx
    .deleteFrom(table)
    .where('course_id', 'in', sql<number>`(select unnest(${parts.map(({ owner }) => owner)}::bigint[]))`)
    .execute();
  await insertAll(
    trx,
    table,
    parts.flatMap(({ owner, rows }) => rows.map((row) => ({ course_id: owner, ...row }))),
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
    // 0 is none: the release before fails on a null.
    rating: course.rating ?? 0,
    published_on: course.published,
    instructor_slug: course.instructor,
    exams: course.exams ?? [],
    description: course.description,
    guided: course.guided ?? false,
    details: JSON.stringify(detailsOf(course)),
    retired_at: null,
  };
}
