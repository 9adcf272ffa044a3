import type { ListedCourse } from './catalogue.ts';
import { holdsFolded } from './folding.ts';
import { createHaystack, type Haystack } from './haystack.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';

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
  const { texts, subjects } = haystacksOf(courses);
  const holds = (place: number, part: 'names' | 'subject', needle: string) => {
    const text = courses[place]?.[part];
    return text !== undefined && holdsFolded(text, needle);
  };
  const ranks = new Uint8Array(courses.length).fill(unfound);
  const improve = (place: number, rank: number) => {
    ranks[place] = Math.min(rank, ranks[place] ?? unfound);
  };
  const looked = new Map<string, number[]>();
  /** Courses in whose subject the needle stands. To look through all texts costs most, so it is done once. */
  function holdersOf(needle: string): number[] {
    const known = looked.get(needle);
    if (known) return known;
    const found: number[] = [];
    subjects.each(needle, (place) => {
      if (holds(place, 'subject', needle)) found.push(place);
    });
    looked.set(needle, found);
    return found;
  }

  // Where the text as typed stands, its last word begins a word; only a slash may fold to nothing.
  const [first, last] = [typed[0], typed.at(-1)];
  if (typed.length > 1 && last !== undefined && !literal.includes('/')) {
    for (const place of holdersOf(last)) {
      if (courses[place]?.searchText.includes(literal)) improve(place, rankOf.asTyped);
    }
  } else if (literal !== '') texts.each(literal, (place) => improve(place, rankOf.asTyped));

  for (const phrase of phrases) {
    // A phrase begins with a word of its own.
    const opening = first !== undefined && phrase.startsWith(first) ? first : phrase;
    for (const place of holdersOf(opening)) {
      if (opening !== phrase && !holds(place, 'subject', phrase)) continue;
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

const haystacks = new WeakMap<readonly Searched[], { texts: Haystack; subjects: Haystack }>();

/** Made with the first search of a list of courses. */
function haystacksOf(courses: readonly Searched[]) {
  const known = haystacks.get(courses);
  if (known) return known;
  const made = {
    texts: createHaystack(courses.map(({ searchText }) => searchText)),
    subjects: createHaystack(courses.map(({ subject }) => subject.text)),
  };
  haystacks.set(courses, made);
  return made;
}
