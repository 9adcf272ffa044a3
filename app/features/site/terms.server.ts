import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { TermsVersion } from './terms.ts';

/** The stored version of the text that /terms has now; null while there is no such page. */
export async function readTermsVersion(db: Db): Promise<TermsVersion | null> {
  const { rows } = await sql<TermsVersion>`
    select id, in_force_from as "inForceFrom"
    from site_content, jsonb_array_elements(site_content.body) page, terms_versions
    where name = 'pages' and page->>'slug' = 'terms'
      and terms_versions.body = text_with_facts(page->>'body', (select body from site_content where name = 'site'))
      and in_force_from = coalesce(page->>'inForceFrom', '2026-11-21')::date`.execute(db);
  return rows[0] ?? null;
}

/** A stored version of /terms; its body, Markdown, is null when the text was not kept. Null when there is none. */
export async function findTermsVersion(db: Db, id: number): Promise<{ inForceFrom: Day; body: string | null } | null> {
  const row = await db.selectFrom('terms_versions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? { inForceFrom: row.in_force_from, body: row.body } : null;
}
