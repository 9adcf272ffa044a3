import { foldedWords } from './folding.ts';
import { meaningsOf, meansOf, type Synonyms } from './synonyms.ts';

/** The folded words of a search. */
export type Wanted = {
  /** As typed, lower case: looked for literally (P8). */
  literal: string;
  /** All its words. */
  typed: string[];
  /** The search as one phrase, then its synonyms. A match of any is enough. */
  phrases: string[];
  /** The significant words in the order typed. A course matches if it has each in one of its spellings. */
  words: string[][];
  /** Whether all typed words are insignificant. */
  any: boolean;
};

// Longer texts are sentences: only their first words are looked up, so that an address cannot ask for much work.
const mostWords = 6;

const cities = ['adelaide', 'brisbane', 'canberra', 'darwin', 'hobart', 'melbourne', 'perth', 'sydney'];

// Insignificant words: general words for courses, wishes and places.
const idleWords = new Set(
  [
    'a an and at become becoming best by cheap cheapest for from get getting how i in into my near of on or the to vs want with',
    'cert certificate certification certifications certs class classes course courses exam exams learn online training',
    'australia',
    ...cities,
  ]
    .join(' ')
    .split(' '),
);

/** The place of dates that a search names: `online`, `melbourne`; null if it names none. */
export const placeIn = (search: string): string | null =>
  foldedWords(search).find((word) => word === 'online' || cities.includes(word)) ?? null;

/** Reads a search. Without anything to compare names by, only `literal` is left. */
export function readSearch(search: string, synonyms: Synonyms): Wanted {
  const typed = foldedWords(search);
  const joined = joinedWords(typed, synonyms);
  const telling = joined.filter((word) => !idleWords.has(word));
  const phrases = meaningsOf(typed, synonyms);
  if (telling.length > 0 && telling.length < joined.length) phrases.push(...meaningsOf(telling, synonyms));
  const words = telling.filter((word) => word.length > 1 || /\d/.test(word)).slice(0, mostWords);
  return {
    literal: search.toLowerCase(),
    typed,
    phrases: [...new Set(phrases)],
    any: typed.length > 0 && telling.length === 0,
    words: words.map((word) => [word, ...formsOf(word, words.length > 1), ...meansOf(word, synonyms)]),
  };
}

/**
 * The stem of a word: without the s of a plural, and beside other words without -er or -ing, so that "threat hunter"
 * finds "Threat Hunting". Alone, "accounting" does not find "accounts".
 */
function formsOf(word: string, besideOthers: boolean): string[] {
  if (/.{4}s$/.test(word)) return [word.slice(0, -1)];
  const stem = besideOthers ? /^(.{3}.*(.))(?<!\2\2)(er|ing)$/.exec(word)?.[1] : undefined;
  return stem ? [stem] : [];
}

/** Joins words that are one name: "security plus", a code such as "az 900", and two words that have a synonym. */
function joinedWords(words: string[], synonyms: Synonyms): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const both = `${before}${word}`;
    const isOne =
      before !== undefined &&
      (word === 'plus' || synonyms.has(both) || (/^\d{3,4}$/.test(word) && /^([a-z]{2,3}|\d{3})$/.test(before)));
    if (isOne) joined.splice(-1, 1, both);
    else joined.push(word);
  }
  return joined;
}
