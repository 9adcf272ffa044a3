/** The filters of the listing in the address (P8). */
export type ListingQuery = {
  /** Searched literally, surrounding space dropped, cut at `longestSearch`. */
  search: string;
  /** Slug of a category or track; '' for all. Kept as given: an unknown one finds nothing (P9). */
  category: string;
  /** Lower case; '' for all. Kept as given: an unknown one finds nothing. */
  level: string;
  sort: Sort;
  /** From 1; page 2 shows the first 48 (P10). */
  page: number;
};

export const sorts = [
  { value: 'popular', label: 'Most popular' },
  { value: 'newest', label: 'Newest' },
  { value: 'price-low', label: 'Price low to high' },
  { value: 'price-high', label: 'Price high to low' },
  { value: 'shortest', label: 'Shortest' },
] as const;
export type Sort = (typeof sorts)[number]['value'];

export const noFilters: ListingQuery = { search: '', category: '', level: '', sort: 'popular', page: 1 };

/** A search as it is looked for and shown again: its first `longestSearch` letters. */
export const cutSearch = (text: string): string =>
  text
    .trim()
    .replace(/^(.{200}).*/su, '$1')
    .trim();

/** Reads the filters from any query string; what it cannot use falls back to the default, never to an error. */
export function parseListingQuery(params: URLSearchParams): ListingQuery {
  const page = params.get('page') ?? '';
  const sort = sorts.find(({ value }) => value === params.get('sort'));
  return {
    search: cutSearch(params.get('search') ?? ''),
    category: (params.get('category') ?? '').trim().toLowerCase(),
    level: (params.get('level') ?? '').trim().toLowerCase(),
    sort: sort?.value ?? noFilters.sort,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : noFilters.page,
  };
}

/** The filters as a query string with its `?`, defaults left out; '' when all are defaults (P8). */
export function listingSearch(query: ListingQuery): string {
  const params = new URLSearchParams();
  for (const key of ['search', 'category', 'level', 'sort', 'page'] as const) {
    if (query[key] !== noFilters[key]) params.set(key, String(query[key]));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * The query string of the address that search engines should keep for a list, '' for the whole catalogue; null when they
 * should keep none. A category or track with courses is a page of its own; orders and further pages are the same list;
 * searches and levels are too many.
 */
export function addressToKeep(query: ListingQuery, matching: number): string | null {
  if (query.search !== '' || query.level !== '' || matching === 0) return null;
  return listingSearch({ ...noFilters, category: query.category });
}

/** True when anything narrows the list; the order and the page do not. */
export function isFiltered(query: ListingQuery): boolean {
  return query.search !== '' || query.category !== '' || query.level !== '';
}

/** Cards that LOAD MORE QUESTS adds at a time (P10). */
export const pageSize = 24;

/** Cards of the home page's list, which LOAD MORE QUESTS continues at /courses (P10). */
export const homeCards = 6;
