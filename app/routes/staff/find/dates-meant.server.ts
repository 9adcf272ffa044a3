import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { venues } from '#app/features/content/rules.ts';
import { beginsAll } from '#app/lib/beginnings.ts';
import { deliveries } from '#app/lib/delivery.ts';
import { daysMeant } from './date-words.ts';

/**
 * The condition that a row of `course_dates its` has each of these words, in lower case, at the beginning of one of its
 * own: of course, instructor, place or day. Null when a word is none of these. Each text is compared once, not for each
 * date that has it.
 */
export async function datesMeant(db: Db, words: readonly string[]): Promise<RawBuilder<boolean> | null> {
  const courses = await db.selectFrom('courses').select(['id', 'title', 'slug']).execute();
  const instructors = await db.selectFrom('instructors').select(['slug', 'name']).execute();
  const conditions = words.map((word) => {
    const has = (text: string) => beginsAll(text, [word]);
    const { weekdays, months, days, years } = daysMeant(word);
    const ways = [
      isOneOf(
        sql`its.course_id`,
        courses.filter(({ title, slug }) => has(`${title} ${slug}`)).map(({ id }) => id),
      ),
      isOneOf(
        sql`its.instructor_slug`,
        instructors.filter(({ name }) => has(name)).map(({ slug }) => slug),
      ),
      isOneOf(sql`its.delivery`, deliveries.filter(has)),
      isOneOf(sql`its.venue`, venues.filter(has)),
      isOneOf(sql`extract(isodow from its.starts_on)`, weekdays),
      isOneOf(sql`extract(month from its.starts_on)`, months),
      isOneOf(sql`extract(day from its.starts_on)`, days),
      isOneOf(sql`extract(year from its.starts_on)`, years),
    ].flat();
    return ways.length > 0 ? sql`(${sql.join(ways, sql` or `)})` : null;
  });
  const all = conditions.flatMap((one) => one ?? []);
  return all.length === words.length ? sql<boolean>`(${sql.join(all, sql` and `)})` : null;
}

const isOneOf = (column: RawBuilder<unknown>, values: readonly (string | number)[]) =>
  values.length > 0 ? [sql<boolean>`${column} in (${sql.join(values)})`] : [];
