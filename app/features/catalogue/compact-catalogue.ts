import type { Catalogue, CourseCard } from './catalogue.ts';
import type { PageCatalogue } from './catalogue-page.ts';
import { foldSubject, foldText, searchTextOf } from './folding.ts';
import type { Sort } from './schema.ts';

/** The catalogue for filtering in the browser: only the fields that lists show and filter by. */
export type CompactCatalogue = {
  courses: { card: CourseCard; tracks: readonly string[]; codes: readonly string[]; instructor: string }[];
  /** Each order as indexes into `courses`, which are in the order `popular`. */
  orders: Record<Exclude<Sort, 'popular'>, number[]>;
  categories: Catalogue['categories'];
  tracks: { slug: string; name: string }[];
  synonyms: [typed: string, means: readonly string[]][];
  nextDates: PageCatalogue['nextDates'];
  datesIn: PageCatalogue['datesIn'];
};

export function compactCatalogue({
  courses,
  orders,
  categories,
  tracks,
  synonyms,
  nextDates,
  datesIn,
}: Catalogue & Pick<PageCatalogue, 'nextDates' | 'datesIn'>): CompactCatalogue {
  const places = new Map(courses.map((course, at) => [course, at]));
  const placesIn = (sort: Sort) => orders[sort].map((course) => places.get(course) ?? 0);
  return {
    courses: courses.map(({ card, trackSlugs, examCodes, instructor }) => ({
      ...{ card, instructor },
      tracks: trackSlugs,
      codes: examCodes,
    })),
    orders: {
      newest: placesIn('newest'),
      'price-low': placesIn('price-low'),
      'price-high': placesIn('price-high'),
      shortest: placesIn('shortest'),
    },
    categories,
    tracks: tracks.map(({ slug, name }) => ({ slug, name })),
    synonyms: [...synonyms],
    nextDates,
    datesIn,
  };
}

/** The catalogue that pages are made from, out of its compact form. */
export function expandCatalogue(compact: CompactCatalogue): PageCatalogue {
  const courses = compact.courses.map(({ card, tracks, codes, instructor }) => ({
    card,
    trackSlugs: tracks,
    searchText: searchTextOf(card),
    names: foldText(card.title, ...codes),
    subject: foldSubject({ ...card, instructor }, codes),
  }));
  const inOrder = (places: number[]) => places.flatMap((at) => courses[at] ?? []);
  return {
    courses,
    bySlug: new Map(courses.map((course) => [course.card.slug, course])),
    orders: {
      popular: courses,
      newest: inOrder(compact.orders.newest),
      'price-low': inOrder(compact.orders['price-low']),
      'price-high': inOrder(compact.orders['price-high']),
      shortest: inOrder(compact.orders.shortest),
    },
    categories: compact.categories,
    tracks: compact.tracks,
    synonyms: new Map(compact.synonyms),
    nextDates: compact.nextDates,
    datesIn: compact.datesIn,
  };
}
