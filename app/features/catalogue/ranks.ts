import type { ListedCourse } from './catalogue.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { addMarks, createWordPlaces, keepCommon, type Marks, type WordPlaces } from './word-places.ts';

type Searched = Pick<ListedCourse, 'searchText' | 'names' | 'subject'>;

/** The rank of a course that does not match. A lower rank is a better match. */
export const unfound = 4;
const rankOf = { inTitle: 0, asTyped: 1, wordsInTitle: 2, words: 3 };

/**
 * How well each of the courses matches a search, in their order:
 * 0 the search, or a synonym of it, is in the title or an exam code;
 * 1 the search is literally in title or description (P8), or a synonym of it in the description, category or level;
 * 2 its words, in any order, are in the title and the exam codes;
 * 3 its words are anywhere in these.
 */
export function rankCourses(courses: readonly Searched[], search: string, synonyms: Synonyms): Uint8Array {
  const { literal, typed, phrases, words } = readSearch(search, synonyms);
  const { names, subjects } = placesOf(courses);
  const ranks = new Uint8Array(courses.length).fill(unfound);
  // The best rank is given last.
  const give = (rank: number, marks: Marks) => {
    for (let place = 0; place < marks.length; place++) if (marks[place]) ranks[place] = rank;
  };
  // One word in one spelling is the phrase itself.
  if (words.length > 1 || words[0]?.some((one) => !phrases.includes(one))) {
    give(rankOf.words, holdingAll(subjects, words));
    give(rankOf.wordsInTitle, holdingAll(names, words));
  }
  for (const phrase of phrases) give(rankOf.asTyped, subjects.holding(phrase));
  const likely = literal === '' ? [] : maybeLiteral(literal, typed, subjects);
  for (let place = 0; place < likely.length; place++) {
    if (!likely[place] || ranks[place] === rankOf.asTyped) continue;
    if (courses[place]?.searchText.includes(literal)) ranks[place] = rankOf.asTyped;
  }
  for (const phrase of phrases) give(rankOf.inTitle, names.holding(phrase));
  return ranks;
}

/** Texts that hold each of the words, in one of its spellings. */
function holdingAll(places: WordPlaces, words: string[][]): Marks {
  return words.map((spellings) => spellings.map(places.holding).reduce(addMarks)).reduce(keepCommon);
}

/** Courses among which are all that hold the text as typed. */
function maybeLiteral(literal: string, typed: string[], subjects: WordPlaces): Marks {
  const [first = '', ...others] = typed;
  const last = others.pop();
  // A slash, and what follows it in "ISO/IEC", are not in the folded words.
  const isFolded = first !== '' && !literal.includes('/') && !'iec'.endsWith(first) && !'iec'.includes(literal);
  if (!isFolded) return subjects.where(() => true);
  if (last === undefined) return subjects.where((word) => word.includes(first));
  // A word ends before a separator, and the next word begins behind it.
  const ending = subjects.where((word) => word.endsWith(first));
  const beginning = subjects.where((word) => word.startsWith(last));
  return keepCommon(ending, beginning);
}

type Places = Record<'names' | 'subjects', WordPlaces>;
const known = new WeakMap<readonly Searched[], Places>();

/** Read with the first search of a list of courses. */
function placesOf(courses: readonly Searched[]): Places {
  const before = known.get(courses);
  if (before) return before;
  const names = createWordPlaces(courses.map((course) => course.names));
  const subjects = createWordPlaces(courses.map(({ subject }) => subject));
  known.set(courses, { names, subjects });
  return { names, subjects };
}
