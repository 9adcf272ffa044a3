import type { Db } from '#app/db/client.server.ts';
import type { documentNames } from './documents.ts';
import { type Content, contentFiles } from './schema.ts';

type Name = keyof typeof documentNames;

/** Content that is kept whole, by name. Throws when one is missing or has another shape. */
export async function readDocuments<Wanted extends Name>(
  trx: Db,
  names: readonly Wanted[],
): Promise<Pick<Content, Wanted>> {
  const rows = await trx.selectFrom('site_content').selectAll().where('name', 'in', names).execute();
  const bodies = new Map(rows.map(({ name, body }) => [name, body]));
  const entries = names.map((name) => [name, contentFiles[name].schema.parse(bodies.get(name))]);
  return Object.fromEntries(entries) as Pick<Content, Wanted>;
}
