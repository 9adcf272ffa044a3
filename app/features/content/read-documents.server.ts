import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { documentNames } from './records.ts';
import { type Content, contentFiles } from './schema.ts';

type Name = keyof typeof documentNames;
type Parsed = { version: string; content: unknown };

/** Names one stored version of a row: no other one, rolled back or not, has the same transaction and place. */
const rowVersion = sql<string>`xmin::text || ctid::text`;

/** The last parsed documents, so that a document is read and checked again only after it has changed. */
const lastParsed = new Map<Name, Parsed>();

/** Content that is kept whole, by name, and frozen, because readers share it. Throws when one is missing or has another shape. */
export async function readDocuments<Wanted extends Name>(
  trx: Db,
  names: readonly Wanted[],
): Promise<Pick<Content, Wanted>> {
  const known = new Map<string, Parsed | undefined>(names.map((name) => [name, lastParsed.get(name)]));
  const versions = [...known.values()].flatMap((parsed) => parsed?.version ?? []);
  const rows = await trx
    .selectFrom('site_content')
    .select(['name', rowVersion.as('version')])
    .select(sql`case when ${rowVersion} = any(${versions}::text[]) then null else body end`.as('body'))
    .where('name', 'in', names)
    .execute();
  const byName = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.name, row]));
  const entries = names.map((name) => {
    const row = byName.get(name);
    const parsed = known.get(name);
    if (parsed && parsed.version === row?.version) return [name, parsed.content];
    const content = frozen(contentFiles[name].schema.parse(row?.body));
    if (row) lastParsed.set(name, { version: row.version, content });
    return [name, content];
  });
  return Object.fromEntries(entries) as Pick<Content, Wanted>;
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
