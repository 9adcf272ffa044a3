import { levels } from '#app/lib/levels.ts';
import type { Catalogue, CourseCard, ListedCourse } from './catalogue.ts';
import { rankerOf, unfound } from './ranks.ts';
import type { ListingQuery, Sort } from './schema.ts';
import { pageSize } from './schema.ts';

/** Beyond this one narrows the search: an address must not ask for a page without end. */
export const lastPage = 40;

/** What filtering and sorting need of a course. */
type Listable = Pick<ListedCourse, 'card' | 'trackSlugs' | 'searchText' | 'names' | 'subject'>;
export type ListableCatalogue = {
  courses: readonly Listable[];
  orders: Readonly<Record<Sort, readonly Listable[]>>;
  synonyms: Catalogue['synonyms'];
};

export type Listing = {
  cards: CourseCard[];
  /** Courses that match the filters, or come near the search. */
  matching: number;
  /** True when no course matches the search and the nearest are listed instead. */
  near: boolean;
  /** All published courses (P12). */
  total: number;
  /** The page that LOAD MORE QUESTS leads to; null when all are shown or the last page is reached. */
  nextPage: number | null;
};

/** Slugs of the courses nearest to a search that no course matches, the nearest first. Only the server knows them. */
export type Nearest = (search: string) => readonly string[];

/**
 * Filters, sorts and cuts the catalogue. All filters combine; `page` 2 shows the first 48 (P8 to P10, P12). Under "Most
 * popular", courses that match a search better come first. When a search matches no course of the whole catalogue, those
 * nearest to it are listed instead.
 */
export function listCourses(catalogue: ListableCatalogue, query: ListingQuery, nearest?: Nearest): Listing {
  let sorted = matchingCourses(catalogue, query);
  let near = false;
  if (sorted.length === 0 && nearest && query.search !== '' && !matchesAny(catalogue, query.search)) {
    sorted = nearestCourses(catalogue, query, nearest(query.search));
    near = sorted.length > 0;
  }
  const pages = Math.min(lastPage, Math.max(1, Math.ceil(sorted.length / pageSize)));
  const page = Math.min(query.page, pages);
  return {
    cards: sorted.slice(0, page * pageSize).map(({ card }) => card),
    matching: sorted.length,
    near,
    total: catalogue.courses.length,
    nextPage: page < pages ? page + 1 : null,
  };
}

function matchingCourses({ orders, synonyms }: ListableCatalogue, query: ListingQuery): readonly Listable[] {
  const passes = filterOf(query);
  if (query.search === '') return orders[query.sort].filter(passes);
  const rankOf = rankerOf(query.search, synonyms);
  const byRank: Listable[][] = Array.from({ length: unfound }, () => []);
  for (const course of orders[query.sort]) {
    const rank = passes(course) ? rankOf(course) : unfound;
    // In an order that was chosen, a better match is no reason to come first.
    if (rank < unfound) byRank[query.sort === 'popular' ? rank : 0]?.push(course);
  }
  return byRank.flat();
}

/** Whether a search matches a course at all, whatever the other filters are. */
function matchesAny({ courses, synonyms }: ListableCatalogue, search: string): boolean {
  const rankOf = rankerOf(search, synonyms);
  return courses.some((course) => rankOf(course) < unfound);
}

function nearestCourses({ orders }: ListableCatalogue, query: ListingQuery, slugs: readonly string[]): Listable[] {
  const places = new Map(slugs.map((slug, at) => [slug, at]));
  const passes = filterOf(query);
  const courses = orders[query.sort].filter((course) => places.has(course.card.slug) && passes(course));
  if (query.sort !== 'popular') return courses;
  const place = ({ card }: Listable) => places.get(card.slug) ?? slugs.length;
  return courses.sort((a, b) => place(a) - place(b));
}

/** Category and level. */
function filterOf({ category, level: wanted }: ListingQuery): (course: Listable) => boolean {
  const level = levels.find((one) => one.toLowerCase() === wanted);
  if (wanted !== '' && level === undefined) return () => false;
  return ({ card, trackSlugs }) =>
    (level === undefined || card.level === level) &&
    (category === '' || card.category.slug === category || trackSlugs.includes(category));
}
