import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { readPresentSlugs } from '#app/features/content/revisions.server.ts';

/** A module of a place: its number and the titles of all its modules, as they were when it was sold. */
type SoldModule = { courseId: number; number: number; titles: readonly string[] };

/**
 * Reads the text of a module of a guided place (P60): by its title, because its number may have changed since the place
 * was sold. A title that was corrected is followed to the text of today; a text that is not part of the course any more
 * is read as it was last. Null where none was ever written.
 */
export async function readModuleText(db: Db, { courseId, number, titles }: SoldModule): Promise<string | null> {
  const now = await db
    .selectFrom('course_modules')
    .select(['number', 'title', 'body'])
    .where('course_id', '=', courseId)
    .where('retired_at', 'is', null)
    .orderBy('number')
    .execute();
  const followed = new Set<string>();
  for (let title = titles[number - 1]; title !== undefined && !followed.has(title); ) {
    followed.add(title);
    const found = now.find((one) => one.title === title);
    if (found) return found.body;
    const last = await lastOfTitle(db, courseId, title);
    if (!last) break;
    if (last.nextTitle === null) return last.body;
    title = last.nextTitle;
  }
  // The curriculum has another title than the module of its number.
  return now.find((one) => one.number === number && !titles.includes(one.title))?.body ?? null;
}

/**
 * The last text that was published under a title; `nextTitle` is the one that it got by a change of nothing else, and
 * null after any other change: then another module may have come to its number.
 */
async function lastOfTitle(
  db: Db,
  courseId: number,
  title: string,
): Promise<{ body: string; nextTitle: string | null } | null> {
  const course = await db.selectFrom('courses').select('slug').where('id', '=', courseId).executeTakeFirstOrThrow();
  const present = await readPresentSlugs(db);
  const shown = db
    .selectFrom('content_revisions')
    .innerJoin('content_records', 'content_records.id', 'record_id')
    .select(['record_id', 'number'])
    .select(sql<string>`value ->> 'course'`.as('course'))
    .select(sql<string>`value ->> 'title'`.as('title'))
    .select(sql<string>`value ->> 'body'`.as('body'))
    .where('kind', '=', 'module')
    .where('state', 'in', ['published', 'retired']);
  const rows = await shown
    .where(sql`value ->> 'title'`, '=', title)
    .orderBy('made_at', 'desc')
    .orderBy('number', 'desc')
    .execute();
  const last = rows.find((row) => present(row.course) === course.slug);
  if (!last) return null;
  const next = await shown
    .where('record_id', '=', last.record_id)
    .where('number', '>', last.number)
    .orderBy('number')
    .executeTakeFirst();
  return { body: last.body, nextTitle: next?.body === last.body ? next.title : null };
}
