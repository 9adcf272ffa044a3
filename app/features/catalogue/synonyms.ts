import { foldedWords } from './folding.ts';

/** The words of people and the words of the catalogue for the same thing, both folded. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

// A single letter begins a word of nearly every course.
const shortestFolded = 2;
// Longer texts are sentences. Their words are not looked up one by one, so that an address cannot ask for much work.
const mostWords = 6;

/** The synonyms as content/ lists them, ready to be looked up in any spelling. */
export function foldSynonyms(list: readonly { typed: string; means: readonly string[] }[]): Synonyms {
  return new Map(list.map(({ typed, means }) => [fold(typed), means.map(fold)]));
}

/**
 * The meanings of a search, given as its folded words: first the search, then the synonyms of it or of one of its
 * words. Empty when no word is left to compare names by.
 */
export function meaningsOf(words: string[], synonyms: Synonyms): string[] {
  const whole = words.join('');
  const meanings = [whole, ...meansOf(whole, synonyms)];
  if (words.length <= mostWords) {
    for (const [at, word] of words.entries()) {
      for (const meaning of meansOf(word, synonyms)) meanings.push(words.with(at, meaning).join(''));
    }
  }
  return [...new Set(meanings)].filter((meaning) => meaning.length >= shortestFolded);
}

/** The catalogue's word for a folded text, also for its plural ("project managers"). */
export function meansOf(typed: string, synonyms: Synonyms): readonly string[] {
  const singular = /.{4}s$/.test(typed) ? typed.slice(0, -1) : typed;
  return synonyms.get(typed) ?? synonyms.get(singular) ?? [];
}

function fold(text: string): string {
  return foldedWords(text).join('');
}
