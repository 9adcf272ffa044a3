import type { Db } from '#app/db/client.server.ts';
import { readPresentSlugs } from './load-content.server.ts';
import { type ModuleContent, moduleKey } from './module-schema.ts';
import type { Plan } from './plan.ts';
import { type Ids, idOf } from './write-aliases.server.ts';

/** Writes the modules that the plan names, and retires those that are gone; their courses have been written. */
export async function writeModules(
  trx: Db,
  plan: Plan,
  modules: readonly ModuleContent[],
  { ids, now }: { ids: Ids; now: Date },
): Promise<void> {
  const present = await readPresentSlugs(trx);
  const keysOf = (records: Plan['retired']) =>
    new Set(records.flatMap(({ kind, key }) => (kind === 'module' ? key : [])));
  for (const key of keysOf(plan.retired)) {
    const [slug = '', number = ''] = key.split('/');
    await trx
      .updateTable('course_modules')
      .set({ retired_at: now })
      .where('number', '=', Number(number))
      .where('course_id', 'in', trx.selectFrom('courses').select('id').where('slug', '=', present(slug)))
      .execute();
  }
  const touched = keysOf([...plan.added, ...plan.changed]);
  const rows = modules
    .filter((module) => touched.has(moduleKey(module)))
    .map(({ course, number, title, body }) => ({
      course_id: idOf(ids, course),
      number,
      title,
      body,
      retired_at: null,
    }));
  if (rows.length === 0) return;
  await trx
    .insertInto('course_modules')
    .values(rows)
    .onConflict((same) =>
      same.columns(['course_id', 'number']).doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        body: ref('excluded.body'),
        retired_at: null,
      })),
    )
    .execute();
}
