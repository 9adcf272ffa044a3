import { levels } from '#app/lib/levels.ts';
import type { Catalogue, CourseCard, ListedCourse } from './catalogue.ts';
import { holdsFolded } from './folding.ts';
import type { ListingQuery, Sort } from './schema.ts';
import { pageSize } from './schema.ts';
import { meaningsOf, type Synonyms } from './synonyms.ts';

/** Beyond this one narrows the search: an address must not ask for a page without end. */
export const lastPage = 40;

/** What filtering and sorting need of a course. */
type Listable = Pick<ListedCourse, 'card' | 'trackSlugs' | 'searchText' | 'subject'>;
export type ListableCatalogue = {
  courses: readonly Listable[];
  orders: Readonly<Record<Sort, readonly Listable[]>>;
  synonyms: Catalogue['synonyms'];
};

export type Listing = {
  cards: CourseCard[];
  /** Courses that match the filters. */
  matching: number;
  /** All published courses (P12). */
  total: number;
  /** The page that LOAD MORE QUESTS leads to; null when all are shown or the last page is reached. */
  nextPage: number | null;
};

/** Filters, sorts and cuts the catalogue. All filters combine; `page` 2 shows the first 48 (P8 to P10, P12). */
export function listCourses(catalogue: ListableCatalogue, query: ListingQuery): Listing {
  const sorted = catalogue.orders[query.sort].filter(matcherOf(query, catalogue.synonyms));
  const pages = Math.min(lastPage, Math.max(1, Math.ceil(sorted.length / pageSize)));
  const page = Math.min(query.page, pages);
  return {
    cards: sorted.slice(0, page * pageSize).map(({ card }) => card),
    matching: sorted.length,
    total: catalogue.courses.length,
    nextPage: page < pages ? page + 1 : null,
  };
}

/**
 * A search finds the literal text in title or description (P8), and what it means in any spelling: in title, exam codes,
 * description or category.
 */
function matcherOf(query: ListingQuery, synonyms: Synonyms): (course: Listable) => boolean {
  const needle = query.search.toLowerCase();
  const meanings = meaningsOf(query.search, synonyms);
  const { category } = query;
  const level = levels.find((one) => one.toLowerCase() === query.level);
  if (query.level !== '' && level === undefined) return () => false;
  return ({ card, trackSlugs, searchText, subject }) =>
    (level === undefined || card.level === level) &&
    (category === '' || card.category.slug === category || trackSlugs.includes(category)) &&
    (needle === '' || searchText.includes(needle) || meanings.some((meaning) => holdsFolded(subject, meaning)));
}
