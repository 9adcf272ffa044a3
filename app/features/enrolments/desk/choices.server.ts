import type { Db } from '#app/db/client.server.ts';

/** Who can teach and what can be taught, by name. */
export async function readTeachable(db: Db) {
  const instructors = await db
    .selectFrom('instructors')
    .select(['slug', 'name'])
    .where('retired_at', 'is', null)
    .orderBy('name')
    .execute();
  const courses = await db
    .selectFrom('courses')
    .select(['slug', 'title'])
    .where('retired_at', 'is', null)
    .orderBy('title')
    .execute();
  return { instructors, courses };
}
