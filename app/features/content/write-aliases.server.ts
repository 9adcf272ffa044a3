import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { upsert } from './write-rows.server.ts';

/** Kinds of record whose slug may change, with their tables and the tables of their former slugs (P3). */
export const renamable = {
  course: { table: 'courses', aliases: 'course_aliases', owner: 'course_id' },
  'training session': { table: 'training_sessions', aliases: 'training_session_aliases', owner: 'training_session_id' },
  combo: { table: 'combos', aliases: 'combo_aliases', owner: 'combo_id' },
} as const;
export type Renamable = keyof typeof renamable;

/** Row ids by slug. */
export type Ids = ReadonlyMap<string, number>;

export async function idsOf(trx: Db, kind: Renamable): Promise<Ids> {
  const rows = await trx.selectFrom(renamable[kind].table).select(['id', 'slug']).execute();
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** The id of a slug that is known to be there. */
export function idOf(ids: Ids, slug: string): number {
  const id = ids.get(slug);
  if (id === undefined) throw new Error(`"${slug}" has no row`);
  return id;
}

/** Frees the former slugs of the rows that have these slugs now. */
export async function forgetAliases(trx: Db, kind: Renamable, slugs: string[]): Promise<void> {
  if (slugs.length === 0) return;
  const { table, aliases, owner } = renamable[kind];
  await sql`delete from ${sql.table(aliases)} where ${sql.ref(owner)} in
    (select id from ${sql.table(table)} where slug = any(${slugs}))`.execute(trx);
}

export async function writeAliases(
  trx: Db,
  kind: Renamable,
  items: readonly { slug: string; aliases?: string[] | undefined }[],
  ids: Ids,
): Promise<void> {
  const { aliases, owner } = renamable[kind];
  const rows = items.flatMap(({ slug, aliases: former = [] }) =>
    former.map((alias, position) => ({ alias, [owner]: idOf(ids, slug), position })),
  );
  await upsert(trx, aliases, 'alias', rows);
}
