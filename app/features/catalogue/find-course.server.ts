import type { Db } from '#app/db/client.server.ts';

/** A course by the slug that it has or had (P3), with the slugs that it had; null when there is none. */
export async function findCourse(
  db: Db,
  slug: string,
): Promise<{ id: number; slug: string; formerSlugs: string[] } | null> {
  const found = await db
    .selectFrom('courses')
    .leftJoin('course_aliases', 'course_id', 'courses.id')
    .select(['courses.id', 'courses.slug'])
    .where((row) => row.or([row('courses.slug', '=', slug), row('alias', '=', slug)]))
    .orderBy((row) => row('courses.slug', '=', slug), 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return null;
  const former = await db.selectFrom('course_aliases').select('alias').where('course_id', '=', found.id).execute();
  return { ...found, formerSlugs: former.map(({ alias }) => alias) };
}
