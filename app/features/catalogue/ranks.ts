import type { ListedCourse } from './catalogue.ts';
import { holdsFolded } from './folding.ts';
import { createHaystack, type Haystack } from './haystack.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { createWordPlaces, type WordPlaces } from './word-places.ts';

type Searched = Pick<ListedCourse, 'searchText' | 'names' | 'subject'>;

/** The rank of what a search does not find; better ones are lower. */
export const unfound = 4;
const rankOf = { inTitle: 0, asTyped: 1, wordsInTitle: 2, words: 3 };

/**
 * How well each of the courses matches a search, in their order:
 * 0 the search, or what it means, stands in the title or an exam code;
 * 1 literally in title or description (P8), or what it means in the description, category or level;
 * 2 its words, in any order, stand in the title and the exam codes;
 * 3 its words stand anywhere in these.
 */
export function rankCourses(courses: readonly Searched[], search: string, synonyms: Synonyms): Uint8Array {
  const { literal, typed, phrases, words } = readSearch(search, synonyms);
  const { texts, subjects } = searchedOf(courses);
  const holds = (place: number, part: 'names' | 'subject', needle: string) => {
    const text = courses[place]?.[part];
    return text !== undefined && holdsFolded(text, needle);
  };
  const ranks = new Uint8Array(courses.length).fill(unfound);
  const improve = (place: number, rank: number) => {
    ranks[place] = Math.min(rank, ranks[place] ?? unfound);
  };
  /** Courses in whose subject the needle stands. It begins with a word there, or is the beginning of one. */
  const holdersOf = (needle: string) =>
    subjects
      .where((word) => word.startsWith(needle) || needle.startsWith(word))
      .filter((place) => holds(place, 'subject', needle));

  for (const place of literalPlaces(literal, typed, texts, subjects)) {
    if (courses[place]?.searchText.includes(literal)) improve(place, rankOf.asTyped);
  }
  for (const phrase of phrases) {
    for (const place of holdersOf(phrase)) {
      improve(place, holds(place, 'names', phrase) ? rankOf.inTitle : rankOf.asTyped);
    }
  }

  // One word in one spelling is the phrase itself.
  const [spellings = [], ...others] = words;
  if (others.length === 0 && spellings.every((one) => phrases.includes(one))) return ranks;
  for (const place of spellings.flatMap(holdersOf)) {
    const course = courses[place];
    if (!course || (ranks[place] ?? 0) <= rankOf.wordsInTitle || !holdsWords(course.subject, others)) continue;
    improve(place, holdsWords(course.names, words) ? rankOf.wordsInTitle : rankOf.words);
  }
  return ranks;
}

/** Whether each of the words stands in the text, in one of its spellings. */
export function holdsWords(text: ListedCourse['names'], words: string[][]): boolean {
  return words.every((spellings) => spellings.some((one) => holdsFolded(text, one)));
}

/** Courses among which are all that hold the text as typed. */
function literalPlaces(literal: string, typed: string[], texts: () => Haystack, subjects: WordPlaces): number[] {
  const last = typed.at(-1);
  // A slash, and what follows it in "ISO/IEC", are not in the folded words.
  const isFolded = last !== undefined && !literal.includes('/') && !'iec'.includes(literal);
  // Before the last of several words stands something that is none: a word begins there.
  if (isFolded && typed.length > 1) return subjects.where((word) => word.startsWith(last));
  if (isFolded && last === literal) return subjects.where((word) => word.includes(literal));
  const found: number[] = [];
  if (literal !== '') texts().each(literal, (place) => found.push(place));
  return found;
}

type Looked = { texts: () => Haystack; subjects: WordPlaces };
const looked = new WeakMap<readonly Searched[], Looked>();

/** Made with the first search of a list of courses. */
function searchedOf(courses: readonly Searched[]): Looked {
  const known = looked.get(courses);
  if (known) return known;
  let texts: Haystack | undefined;
  const made: Looked = {
    texts: () => {
      texts ??= createHaystack(courses.map(({ searchText }) => searchText));
      return texts;
    },
    subjects: createWordPlaces(courses.map(({ subject }) => subject)),
  };
  looked.set(courses, made);
  return made;
}
