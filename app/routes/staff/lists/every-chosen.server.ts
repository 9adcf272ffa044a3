import type { Db } from '#app/db/client.server.ts';
import { type Keyset, keysetPage } from '#app/db/keyset.server.ts';

/** The ids of all rows that a filter of a list finds; 'too-many' where they are more than `most`. */
export async function everyChosen(
  db: Db,
  set: Keyset,
  { descending, most }: { descending: boolean; most: number },
): Promise<readonly number[] | 'too-many'> {
  const { ids } = await keysetPage(db, set, { descending, cursor: null, length: most + 1 });
  return ids.length > most ? 'too-many' : ids;
}
