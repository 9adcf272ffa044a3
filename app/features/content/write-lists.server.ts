import type { Db } from '#app/db/client.server.ts';
import { documentNames } from './documents.ts';
import type { Plan, ToWrite } from './plan.ts';
import type { Content } from './schema.ts';
import { upsert } from './write-rows.server.ts';

/** Lists kept whole are written whole when any member of theirs is to change. */
export async function writeDocuments(trx: Db, plan: Plan, content: Content): Promise<void> {
  const kinds = new Set([...plan.added, ...plan.changed, ...plan.retired].map(({ kind }) => kind));
  const rows = Object.entries(documentNames)
    .filter(([, kind]) => kinds.has(kind))
    .map(([name]) => ({ name, body: JSON.stringify(content[name as keyof typeof documentNames]) }));
  // A list without members is still a list.
  const missing = await trx.selectFrom('site_content').select('name').execute();
  const have = new Set([...missing, ...rows].map(({ name }) => name));
  for (const name of Object.keys(documentNames)) {
    if (!have.has(name)) rows.push({ name, body: JSON.stringify(content[name as keyof typeof documentNames]) });
  }
  await upsert(trx, 'site_content', 'name', rows);
}

/** Categories, tracks and instructors. */
export async function writeLists(trx: Db, content: Content, toWrite: ToWrite): Promise<void> {
  const filterSlugs = content.categories.filter(({ filter }) => filter).map(({ slug }) => slug);
  await upsert(
    trx,
    'categories',
    'slug',
    toWrite('category', content.categories).map(({ item: { slug, name, icon, filter }, position }) => ({
      slug,
      name,
      icon,
      filter_position: filter ? filterSlugs.indexOf(slug) + 1 : null,
      position,
      retired_at: null,
    })),
  );
  for (const [kind, table, list] of [
    ['track', 'tracks', content.tracks],
    ['instructor', 'instructors', content.instructors],
  ] as const) {
    const rows = toWrite(kind, list as { slug: string }[]);
    await upsert(
      trx,
      table,
      'slug',
      rows.map(({ item, position }) => ({ ...item, position, retired_at: null })),
    );
  }
}
