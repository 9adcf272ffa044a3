import { levels } from '#app/lib/levels.ts';
import type { Catalogue, CourseCard, ListedCourse } from './catalogue.ts';
import type { ListingQuery, Sort } from './schema.ts';
import { pageSize } from './schema.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { addMarks, createWordPlaces, keepCommon, type Marks, type WordPlaces } from './word-places.ts';

/** Beyond this one narrows the search: an address must not ask for a page without end. */
export const lastPage = 40;

/** The fields of a course that filters and orders use. */
type Listable = Pick<ListedCourse, 'card' | 'trackSlugs' | 'searchText' | 'names' | 'subject'>;
export type ListableCatalogue = {
  courses: readonly Listable[];
  bySlug: ReadonlyMap<string, Listable>;
  orders: Readonly<Record<Sort, readonly Listable[]>>;
  synonyms: Catalogue['synonyms'];
};

const mostClosest = 3;

export type Listing = {
  cards: CourseCard[];
  /** Courses that match the filters, or come near the search. */
  matching: number;
  /** True when no course matches the search and the nearest are listed instead. */
  near: boolean;
  /** True when no word of the search says anything about a course, such as "courses in Sydney", and all are listed. */
  nameless: boolean;
  /** The first few courses that match the search without the other filters, when none matches with them (P11). */
  closest: CourseCard[];
  /** All published courses (P12). */
  total: number;
  /** The page that LOAD MORE QUESTS leads to; null when all are shown or the last page is reached. */
  nextPage: number | null;
};

/** Slugs of the courses nearest to a search that no course matches, the nearest first. Only the server knows them. */
export type Nearest = (search: string) => readonly string[];

/**
 * Filters, sorts and cuts the catalogue. All filters combine; `page` 2 shows the first 48 (P8 to P10, P12). Under "Most
 * popular", courses that match a search better come first. When a search matches no course of the whole catalogue,
 * those nearest to it are listed instead.
 */
export function listCourses(catalogue: ListableCatalogue, query: ListingQuery, nearest?: Nearest): Listing {
  const passes = filterOf(query);
  const found = findCourses(catalogue, query.search, nearest);
  const sorted = found.inOrder(query.sort).filter(passes);
  const hasClosest = sorted.length === 0 && query.search !== '';
  const pages = Math.min(lastPage, Math.max(1, Math.ceil(sorted.length / pageSize)));
  const page = Math.min(query.page, pages);
  return {
    cards: sorted.slice(0, page * pageSize).map(({ card }) => card),
    matching: sorted.length,
    near: found.near && sorted.length > 0,
    nameless: found.nameless ?? false,
    closest: hasClosest
      ? found
          .inOrder('popular')
          .slice(0, mostClosest)
          .map(({ card }) => card)
      : [],
    total: catalogue.courses.length,
    nextPage: page < pages ? page + 1 : null,
  };
}

type Found = { inOrder(sort: Sort): readonly Listable[]; near: boolean; nameless?: boolean };

/** The courses of the whole catalogue that match a search. */
function findCourses(catalogue: ListableCatalogue, search: string, nearest?: Nearest): Found {
  if (search === '') return { inOrder: (sort) => catalogue.orders[sort], near: false };
  const ranks = rankCourses(catalogue.courses, search, catalogue.synonyms);
  const none = ranks.every((rank) => rank === unfound);
  if (none && readSearch(search, catalogue.synonyms).any) {
    return { inOrder: (sort) => catalogue.orders[sort], near: false, nameless: true };
  }
  if (nearest && none) {
    const slugs = nearest(search);
    return { inOrder: (sort) => nearestCourses(catalogue, sort, slugs), near: true };
  }
  return { inOrder: (sort) => rankedCourses(catalogue, sort, ranks), near: false };
}

function rankedCourses({ courses, orders }: ListableCatalogue, sort: Sort, ranks: Uint8Array): Listable[] {
  const byRank: Listable[][] = Array.from({ length: unfound }, () => []);
  for (const place of placesIn(orders[sort], courses)) {
    const rank = ranks[place] ?? unfound;
    const course = courses[place];
    // In an order that was chosen, a better match is no reason to come first.
    if (rank < unfound && course) byRank[sort === 'popular' ? rank : 0]?.push(course);
  }
  return byRank.flat();
}

function nearestCourses({ bySlug, orders }: ListableCatalogue, sort: Sort, slugs: readonly string[]): Listable[] {
  const near = slugs.flatMap((slug) => bySlug.get(slug) ?? []);
  if (sort === 'popular') return near;
  const wanted = new Set(near);
  return orders[sort].filter((course) => wanted.has(course));
}

const placesKnown = new WeakMap<readonly Listable[], Uint32Array>();

/** The index of each course of an order in the catalogue, computed once for each order. */
function placesIn(order: readonly Listable[], courses: readonly Listable[]): Uint32Array {
  const known = placesKnown.get(order);
  if (known) return known;
  const at = new Map(courses.map((course, place) => [course, place]));
  const places = Uint32Array.from(order, (course) => at.get(course) ?? courses.length);
  placesKnown.set(order, places);
  return places;
}

/** Category and level. */
function filterOf({ category, level: wanted }: ListingQuery): (course: Listable) => boolean {
  const level = levels.find((one) => one.toLowerCase() === wanted);
  if (wanted !== '' && level === undefined) return () => false;
  return ({ card, trackSlugs }) =>
    (level === undefined || card.level === level) &&
    (category === '' || card.category.slug === category || trackSlugs.includes(category));
}

type Searched = Pick<ListedCourse, 'searchText' | 'names' | 'subject'>;

/** The rank of a course that does not match. A lower rank is a better match. */
const unfound = 4;
const rankOf = { inTitle: 0, asTyped: 1, wordsInTitle: 2, words: 3 };

/**
 * The rank of each course for a search, in their order. 0: the search or a synonym is in the title or an exam code. 1:
 * the search is literally in title or description (P8), or a synonym is in the description, category or level. 2: its
 * words, in any order, are in the title and the exam codes. 3: its words are anywhere in these.
 */
function rankCourses(courses: readonly Searched[], search: string, synonyms: Synonyms): Uint8Array {
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
