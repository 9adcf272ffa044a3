import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** The id of the stored text that /terms has now; null while there is no such page. */
export async function readTermsId(db: Db): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id
    from site_content, jsonb_array_elements(site_content.body) page, terms_versions
    where name = 'pages' and page->>'slug' = 'terms'
      and terms_versions.body = text_with_facts(page->>'body', (select body from site_content where name = 'site'))`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}

/** A stored text of /terms, Markdown; null when there is none. */
export async function findTerms(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('terms_versions').select('body').where('id', '=', id).executeTakeFirst();
  return row?.body ?? null;
}
