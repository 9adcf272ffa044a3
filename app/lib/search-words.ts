import { folded } from './beginnings.ts';

/**
 * The typed words as tsqueries, for texts that are indexed as they are written. One letter alone is a whole word: as a
 * beginning it would match nearly everything.
 */
export function literalWords(search: string): string[] {
  const words = search.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');
  return [...new Set(words)].map((word) => (word.length > 1 ? `'${word}':*` : `'${word}'`));
}

/**
 * A tsquery of all typed words for person_words and enrolment_list, which have each name without its accents too. Null
 * without words.
 */
export const allWords = (search: string): string | null => literalWords(folded(search)).join(' & ') || null;
