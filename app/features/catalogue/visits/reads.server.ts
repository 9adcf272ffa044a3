import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';

/** Adds to how often the pages of courses were read on a day. */
export async function storeReads(db: Db, day: Day, reads: ReadonlyMap<string, number>): Promise<void> {
  // In the order in which everything locks these rows.
  await sql`
    insert into course_days (day, course_id, reads)
    select ${day}::date, course.id, read.times
    from unnest(${[...reads.keys()]}::text[], ${[...reads.values()]}::integer[]) as read(slug, times)
      join courses course using (slug)
    order by course.id
    on conflict (day, course_id) do update set reads = course_days.reads + excluded.reads`.execute(db);
}

/** Counts a checkout that was begun, once for each of its courses; with the draft, or not at all. */
export async function countBegun(trx: Trx, day: Day, slugs: readonly string[]): Promise<void> {
  await sql`
    insert into course_days (day, course_id, begun)
    select ${day}::date, id, 1 from courses where slug = any(${[...slugs]}::text[]) order by id
    on conflict (day, course_id) do update set begun = course_days.begun + 1`.execute(trx);
}
