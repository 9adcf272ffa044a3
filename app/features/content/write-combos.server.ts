import type { Db } from '#app/db/client.server.ts';
import type { Content } from './schema.ts';
import { type Ids, idOf, idsOf, writeAliases } from './write-aliases.server.ts';
import { insertAll, upsert } from './write-rows.server.ts';

/** Combos with their courses and former slugs. */
export async function writeCombos(
  trx: Db,
  combos: { item: Content['combos'][number]; position: number }[],
  courseIds: Ids,
): Promise<void> {
  await upsert(
    trx,
    'combos',
    'slug',
    combos.map(({ item: { slug, title, description, discountPercent }, position }) => ({
      slug,
      title,
      description,
      discount_percent: discountPercent,
      position,
      retired_at: null,
    })),
  );
  const ids = await idsOf(trx, 'combo');
  const items = combos.map(({ item }) => item);
  const owners = items.map(({ slug }) => idOf(ids, slug));
  if (owners.length > 0) await trx.deleteFrom('combo_courses').where('combo_id', 'in', owners).execute();
  await insertAll(
    trx,
    'combo_courses',
    items.flatMap(({ slug, courses }) =>
      courses.map((course, position) => ({
        combo_id: idOf(ids, slug),
        course_id: idOf(courseIds, course),
        position,
      })),
    ),
  );
  await writeAliases(trx, 'combo', items, ids);
}
