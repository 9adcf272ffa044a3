import { type RawBuilder, sql } from 'kysely';

/**
 * Whether an indexed text has a word that begins with each typed word (P82); null when no word was typed. How texts become
 * words is the database's `words_in`.
 */
export function wordsFit(typed: string, words = sql`words`): RawBuilder<boolean> | null {
  return /[\p{L}\p{N}]/u.test(typed) ? sql<boolean>`${words} @@ all_typed(${typed})` : null;
}
