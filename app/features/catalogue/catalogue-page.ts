import { href, redirect } from 'react-router';
import { levels } from '#app/lib/levels.ts';
import type { Catalogue } from './catalogue.ts';
import { type ListableCatalogue, type Listing, lastPage, listCourses, type Nearest } from './listing.ts';
import {
  homeCards,
  isFiltered,
  type ListingQuery,
  listingSearch,
  noFilters,
  pageSize,
  parseListingQuery,
} from './schema.ts';
import { placeIn } from './search-words.ts';

type Option = { value: string; label: string };

/** Everything the catalogue section shows for one address. */
export type CataloguePage = {
  query: ListingQuery;
  listing: Listing;
  /** How many courses there are, match or come near. */
  counted: string;
  /** For a search that names a city or online: the number of dates there, and the calendar that shows them. */
  dates: { text: string; to: string } | null;
  /** True when the list ends at the limit of one address, although there are more courses. */
  cut: boolean;
  categories: { main: Option[]; more: Option[]; other: Option | null };
  levels: Option[];
  nextDates: PageCatalogue['nextDates'];
};

/** The part of the catalogue that a page with a list needs. The server has it, and the browser once it is idle. */
export type PageCatalogue = ListableCatalogue &
  Pick<Catalogue, 'categories'> & {
    tracks: readonly { slug: string; name: string }[];
    /** The next date with a free seat, by the slug of its course. */
    nextDates: Readonly<Record<string, string>>;
    /** How many dates to come there are by place: `online`, `melbourne`. */
    datesIn: Readonly<Record<string, number>>;
  };

/**
 * Reads the filters of the address and applies them. A form without JavaScript sends its empty fields too, and a page
 * may lie beyond the last: those addresses are redirected, so that each list has one address (P8).
 */
export function cataloguePage(catalogue: PageCatalogue, nearest: Nearest, url: URL): CataloguePage {
  const query = parseListingQuery(url.searchParams);
  const found = listCourses(catalogue, query, nearest);
  const listing = url.pathname === href('/') ? firstOf(found) : found;
  const lastShown = Math.max(1, Math.ceil(listing.cards.length / pageSize));
  if (holdsDefaults(url.searchParams) || query.page > lastShown) {
    throw redirect(`${url.pathname}${listingSearch({ ...query, page: Math.min(query.page, lastShown) })}`);
  }
  return {
    query,
    listing,
    counted: countedText(query, listing),
    dates: datesText(query.search, catalogue.datesIn),
    cut: listing.nextPage === null && listing.matching > pageSize * lastPage,
    categories: categoryOptions(catalogue, query.category),
    levels: levelOptions(query.level),
    nextDates: catalogue.nextDates,
  };
}

/** The count beside the list (P12). A search that only comes near says so first. */
function countedText(query: ListingQuery, { matching, near, nameless, total }: Listing): string {
  if (!isFiltered(query)) return `${total} total quests`;
  const one = matching === 1;
  if (nameless) return `No course is named after “${query.search}”. ${matching} of ${total} quests are listed.`;
  if (!near) return `${matching} of ${total} quests ${one ? 'matches' : 'match'}`;
  return `No course matches “${query.search}” exactly. ${matching} of ${total} quests ${one ? 'comes' : 'come'} close.`;
}

function datesText(search: string, datesIn: PageCatalogue['datesIn']): CataloguePage['dates'] {
  const place = placeIn(search);
  if (place === null) return null;
  const there = datesIn[place] ?? 0;
  const where = (at: string) => (at === 'online' ? 'online' : `in ${at.charAt(0).toUpperCase()}${at.slice(1)}`);
  const are = (count: number) => `${count} ${count === 1 ? 'date is' : 'dates are'}`;
  const online = datesIn.online ?? 0;
  if (there === 0 && (place === 'online' || online === 0)) return null;
  return there > 0
    ? { text: `${are(there)} ${where(place)}.`, to: `${href('/training-calendar')}?mode=${place}` }
    : { text: `No date is ${where(place)}. ${are(online)} online.`, to: `${href('/training-calendar')}?mode=online` };
}

/** What the home page shows of a list; the next page is the first of /courses. */
function firstOf(listing: Listing): Listing {
  const cards = listing.cards.slice(0, homeCards);
  return { ...listing, cards, nextPage: cards.length < listing.matching ? 1 : null };
}

function holdsDefaults(params: URLSearchParams): boolean {
  return (['search', 'category', 'level', 'sort'] as const).some((key) => params.get(key) === noFilters[key]);
}

/** The specification's options, then every other category that has a course (P9), then what else is chosen now. */
function categoryOptions(catalogue: PageCatalogue, chosen: string): CataloguePage['categories'] {
  const used = usedCategories(catalogue.courses);
  const asOption = ({ slug, name }: { slug: string; name: string }): Option => ({ value: slug, label: name });
  const main = catalogue.categories.filter(({ inFilter }) => inFilter).map(asOption);
  const more = catalogue.categories.filter(({ inFilter, slug }) => !inFilter && used.has(slug)).map(asOption);
  more.sort((a, b) => a.label.localeCompare(b.label, 'en-AU'));
  const known = chosen === '' || [...main, ...more].some(({ value }) => value === chosen);
  const track = catalogue.tracks.find(({ slug }) => slug === chosen);
  const other = known ? null : { value: chosen, label: track ? `Track: ${track.name}` : 'Unknown category' };
  return { main, more, other };
}

const used = new WeakMap<PageCatalogue['courses'], ReadonlySet<string>>();

/** Slugs of the categories that have a course; counted once for each list of courses. */
function usedCategories(courses: PageCatalogue['courses']): ReadonlySet<string> {
  const known = used.get(courses);
  if (known) return known;
  const counted = new Set(courses.map(({ card }) => card.category.slug));
  used.set(courses, counted);
  return counted;
}

function levelOptions(chosen: string): Option[] {
  const options = levels.map((label) => ({ value: label.toLowerCase(), label: String(label) }));
  const known = chosen === '' || options.some(({ value }) => value === chosen);
  return known ? options : [...options, { value: chosen, label: 'Unknown level' }];
}
