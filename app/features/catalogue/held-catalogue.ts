import type { CataloguePage } from './catalogue-page.ts';

/** Above this many courses a list is quicker asked for than kept in a browser. */
export const mostCompactCourses = 1000;

/**
 * The catalogue that this browser holds, once local-catalogue.ts has fetched it. Apart from it, so that pages which ask
 * whether it is there need not load it.
 */
export const heldCatalogue: {
  /** The page of an address; null when only the server can tell. */
  page?: (url: URL) => CataloguePage | null;
} = {};
