import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** A course by the slug that it has or had (P3), with the slugs that it had; null when there is none. */
export async function findCourse(
  db: Db,
  slug: string,
): Promise<{ id: number; slug: string; priceCents: number; formerSlugs: string[] } | null> {
  const found = await db
    .selectFrom('courses')
    .select(['id', 'slug', 'price_cents as priceCents', 'aliases as formerSlugs'])
    .where(sql<boolean>`slug = ${slug} or ${slug} = any(aliases)`)
    .orderBy((row) => row('slug', '=', slug), 'desc')
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}
