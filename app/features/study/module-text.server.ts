import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** The modules of a place: all titles, as they were when it was sold. */
type SoldModules = { courseId: number; titles: readonly string[] };

/** The text of one module of a guided place (P60); null where none is written. */
export const readModuleText = async (db: Db, { number, ...sold }: SoldModules & { number: number }) =>
  (await readModuleTexts(db, sold))[number - 1] ?? null;

/**
 * Reads the texts of the modules of a guided place (P60): by their titles, because a number may have changed since the
 * place was sold. A title that was corrected is followed to the text of today; a text that is not part of the course any
 * more is read as it was last. Null where none is written.
 */
export async function readModuleTexts(db: Db, { courseId, titles }: SoldModules): Promise<(string | null)[]> {
  const now = await db
    .selectFrom('course_modules')
    .select(['number', 'title', 'body'])
    .where('course_id', '=', courseId)
    .where('retired_at', 'is', null)
    .orderBy('number')
    .execute();
  const isMissing = titles.some((title) => !now.some((one) => one.title === title));
  const earlier = isMissing ? await readEarlier(db, courseId) : [];
  return titles.map((sold, at) => {
    const followed = new Set<string>();
    for (let title = sold; !followed.has(title); ) {
      followed.add(title);
      const found = now.find((one) => one.title === title);
      if (found) return found.body;
      const last = earlier.findLast((one) => one.title === title);
      if (!last) break;
      const next = earlier.find((one) => one.record === last.record && one.number > last.number);
      // After a change of more than its title, another module may have come to its number.
      if (next?.body !== last.body) return last.body;
      title = next.title;
    }
    // The curriculum has another title than the module of its number.
    return now.find((one) => one.number === at + 1 && !titles.includes(one.title))?.body ?? null;
  });
}

/** The texts that the modules of a course ever had, under its slug or a former one, the latest last. */
const readEarlier = (db: Db, courseId: number) =>
  db
    .selectFrom('content_revisions')
    .innerJoin('content_records', 'content_records.id', 'record_id')
    .select(['record_id as record', 'number'])
    .select(sql<string>`value ->> 'title'`.as('title'))
    .select(sql<string>`value ->> 'body'`.as('body'))
    .where('kind', '=', 'module')
    .where('state', 'in', ['published', 'retired'])
    .where(
      sql<boolean>`value ->> 'course' in (select slug from courses where id = ${courseId}
        union all select unnest(aliases) from courses where id = ${courseId})`,
    )
    .orderBy('made_at')
    .orderBy('number')
    .execute();
