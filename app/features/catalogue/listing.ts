import { compareText } from './rules.ts';
import type { ListingQuery, Sort } from './schema.ts';
import type { CourseCard, ListedCourse, Snapshot } from './snapshot.ts';

export const pageSize = 24;
/** Beyond this one narrows the search: an address must not ask for a page without end. */
export const lastPage = 40;

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
export function listCourses(snapshot: Snapshot, query: ListingQuery): Listing {
  const matches = snapshot.courses.filter(matcherOf(query));
  const sorted = sortCourses(matches, query.sort);
  const pages = Math.min(lastPage, Math.max(1, Math.ceil(sorted.length / pageSize)));
  const page = Math.min(query.page, pages);
  return {
    cards: sorted.slice(0, page * pageSize).map(({ card }) => card),
    matching: sorted.length,
    total: snapshot.courses.length,
    nextPage: page < pages ? page + 1 : null,
  };
}

function matcherOf(query: ListingQuery): (course: ListedCourse) => boolean {
  const needle = query.search.toLowerCase();
  const { category, level } = query;
  return ({ card, trackSlugs, searchText }) =>
    (category === '' || card.category.slug === category || trackSlugs.includes(category)) &&
    (level === '' || card.level.toLowerCase() === level) &&
    (needle === '' || searchText.includes(needle));
}

const orders: Record<Exclude<Sort, 'popular'>, (a: ListedCourse, b: ListedCourse) => number> = {
  newest: (a, b) => compareText(b.publishedOn, a.publishedOn),
  'price-low': (a, b) => a.card.priceCents - b.card.priceCents,
  'price-high': (a, b) => b.card.priceCents - a.card.priceCents,
  shortest: (a, b) => a.card.hours - b.card.hours,
};

/** The snapshot stands in the default order, and sorting is stable: of equals the more popular comes first. */
function sortCourses(courses: ListedCourse[], sort: Sort): ListedCourse[] {
  return sort === 'popular' ? courses : courses.sort(orders[sort]);
}
