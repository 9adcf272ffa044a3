import type { ListedCourse } from './catalogue.ts';
import { holdsFolded } from './folding.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';

type Searched = Pick<ListedCourse, 'searchText' | 'names' | 'subject'>;

/** The rank of what a search does not find; better ones are lower. */
export const unfound = 4;

/**
 * How well courses match a search:
 * 0 the search, or what it means, stands in the title or an exam code;
 * 1 literally in title or description (P8), or what it means in the description, category or level;
 * 2 its words, in any order, stand in the title and the exam codes;
 * 3 its words stand anywhere in these.
 */
export function rankerOf(search: string, synonyms: Synonyms): (course: Searched) => number {
  const { literal, phrases, words } = readSearch(search, synonyms);
  // One word in one spelling is the phrase itself.
  const asksWords = words.length > 1 || words.some((spellings) => spellings.some((one) => !phrases.includes(one)));
  return ({ searchText, names, subject }) => {
    if (searchText.includes(literal) || phrases.some((phrase) => holdsFolded(subject, phrase))) {
      return phrases.some((phrase) => holdsFolded(names, phrase)) ? 0 : 1;
    }
    if (!asksWords || !holdsWords(subject, words)) return unfound;
    return holdsWords(names, words) ? 2 : 3;
  };
}

/** Whether each of the words stands in the text, in one of its spellings. */
export function holdsWords(text: ListedCourse['names'], words: string[][]): boolean {
  return words.length > 0 && words.every((spellings) => spellings.some((one) => holdsFolded(text, one)));
}
