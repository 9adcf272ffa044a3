import type { Db } from '#app/db/client.server.ts';
import { type Keyset, keysetPage } from '#app/db/keyset.server.ts';
import { mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import type { Cursor } from '#app/lib/keyset.ts';

const mostPages = 20;

/**
 * The ids of all rows that a filter of a list finds; 'too-many' where they are more than a bulk action may have (P101), or
 * where too many rows had to be looked at to find them.
 */
export async function allThatMatch(db: Db, set: Keyset, descending: boolean): Promise<readonly number[] | 'too-many'> {
  const ids: number[] = [];
  let cursor: Cursor | null = null;
  for (let page = 0; page < mostPages; page++) {
    const found = await keysetPage(db, set, { descending, cursor, length: mostAtOnce });
    ids.push(...found.ids);
    if (ids.length > mostAtOnce) return 'too-many';
    if (!found.older) return ids;
    cursor = found.older;
  }
  return 'too-many';
}
