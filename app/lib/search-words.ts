/** The typed words as tsqueries. One letter alone is a whole word: as a beginning it would match nearly everything. */
export function searchWords(search: string): string[] {
  const words = search.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');
  return [...new Set(words)].map((word) => (word.length > 1 ? `'${word}':*` : `'${word}'`));
}
