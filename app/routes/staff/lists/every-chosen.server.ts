import type { Db } from '#app/db/client.server.ts';
import { type Keyset, keysetPage } from '#app/db/keyset.server.ts';
import type { Cursor } from '#app/lib/keyset.ts';

const [pieceLength, mostPieces] = [1000, 20];

/**
 * The ids of all rows that a filter of a list finds (P79); 'too-many' where they are more than `most`, or where too many rows
 * had to be looked at to find them.
 */
export async function everyChosen(
  db: Db,
  set: Keyset,
  { descending, most }: { descending: boolean; most: number },
): Promise<readonly number[] | 'too-many'> {
  const ids: number[] = [];
  let cursor: Cursor | null = null;
  for (let piece = 0; piece < mostPieces; piece++) {
    const page = await keysetPage(db, set, { descending, cursor, length: pieceLength });
    ids.push(...page.ids);
    if (ids.length > most) return 'too-many';
    if (!page.older) return ids;
    cursor = page.older;
  }
  return 'too-many';
}
