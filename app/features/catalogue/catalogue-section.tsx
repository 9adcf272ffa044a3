import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { href, Link, useLocation, useNavigate, useNavigation } from 'react-router';
import { formatCount } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { onPlainClick } from '#app/ui/plain-click.ts';
import type { CourseCard } from './catalogue.ts';
import { CatalogueFilters } from './catalogue-filters.tsx';
import type { CataloguePage } from './catalogue-page.ts';
import { CourseCardItem } from './course-card.tsx';
import { heldCatalogue, mostCompactCourses } from './held-catalogue.ts';
import { type CataloguePart, partOf } from './paging.ts';
import { listingSearch, sorts } from './schema.ts';

type Props = {
  page: CataloguePage;
  /** The page with this section; its filters and links lead back there. */
  base: '/' | '/courses';
};

// Cards of the first screen; the pictures of the others wait.
const eagerCards = 3;
// More than a screen shows.
const firstCards = 6;

/** The catalogue: filters, count, order, cards and LOAD MORE QUESTS, all in the address (P8 to P12). */
export function CatalogueSection({ page: whole, base }: Props) {
  const hash = base === '/' ? '#courses' : '';
  const { shown: page, loading: loadingMore, failed, show, isComing, loadMore } = useShownPage(whole, base);
  const { query, listing } = page;
  const cards = useFirstCardsFirst(listing.cards);
  const loading = useNavigation().state === 'loading' || loadingMore;
  const nextPage = listing.nextPage;
  const list = useRef<HTMLUListElement>(null);
  const shownBefore = useRef<number | null>(null);

  // After LOAD MORE QUESTS the focus goes on where the new cards begin (P10).
  useEffect(() => {
    const from = shownBefore.current;
    if (from === null || cards.length <= from) return;
    shownBefore.current = null;
    list.current?.children[from]?.querySelector('a')?.focus();
  }, [cards.length]);

  const addCards = (next: number) => () => {
    shownBefore.current = listing.cards.length;
    void loadMore(next);
  };
  const aboutToFilter = useHeldCatalogue(listing.total);
  return (
    <>
      <CatalogueFilters
        page={page}
        base={base}
        hash={hash}
        show={show}
        isComing={isComing}
        aboutToFilter={aboutToFilter}
      />
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="sr-only">Quests found</h2>
        <p role="status" className="text-mute">
          {page.counted}
        </p>
        <SortLinks page={page} base={base} hash={hash} show={show} />
      </div>
      {page.dates && (
        <p className="mt-2">
          {page.dates.text}{' '}
          <Link to={page.dates.to} className="font-bold text-link underline underline-offset-4">
            See them in the training calendar
          </Link>
        </p>
      )}
      {listing.cards.length === 0 ? (
        <NoResults page={page} base={base} hash={hash} show={show} />
      ) : (
        <ul
          ref={list}
          aria-busy={loading}
          className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-3 transition-opacity aria-busy:opacity-60 md:grid-cols-2 md:gap-6 lg:grid-cols-3"
        >
          {cards.map((card, at) => (
            <li key={card.slug}>
              <CourseCardItem card={card} nextDate={page.nextDates[card.slug] ?? null} eager={at < eagerCards} />
            </li>
          ))}
        </ul>
      )}
      {nextPage !== null && (
        <div className="mt-10 text-center">
          <Link
            to={`${href('/courses')}${listingSearch({ ...query, page: nextPage })}`}
            preventScrollReset={base === '/courses'}
            onClick={base === '/' ? undefined : onPlainClick(addCards(nextPage))}
            className={`${button.quiet} px-8 tracking-wide`}
          >
            LOAD MORE QUESTS
          </Link>
          <span className="mt-3 block text-sm text-mute">
            {listing.cards.length} of {listing.matching} shown
          </span>
          {failed && (
            <p role="alert" className="mx-auto mt-4 max-w-prose font-semibold text-fault">
              We could not reach the academy to show more quests. Check your connection, then press LOAD MORE QUESTS
              again.
            </p>
          )}
        </div>
      )}
      {page.cut && (
        <p className="mt-10 text-center text-mute">
          The first {formatCount(listing.cards.length)} are shown. Narrow the filters to see the rest.
        </p>
      )}
    </>
  );
}

/**
 * When a list changes, shows the earlier cards and the next ones first, so that an old phone paints them early; the
 * others follow at once.
 */
function useFirstCardsFirst(cards: CourseCard[]): CourseCard[] {
  const before = useDeferredValue(cards);
  if (before === cards) return cards;
  const changed = cards.findIndex((card, at) => card.slug !== before[at]?.slug);
  return changed < 0 ? cards : cards.slice(0, changed + firstCards);
}

type PartProps = Props & { hash: string; show: ReturnType<typeof useShownPage>['show'] };

function SortLinks({ page, base, hash, show }: PartProps) {
  const { query } = page;
  return (
    <nav aria-label="Sort quests" className="text-sm">
      <ul className="flex flex-wrap gap-x-4">
        {sorts
          .map((sort) => ({ ...sort, search: listingSearch({ ...query, sort: sort.value, page: 1 }) }))
          .map(({ value, label, search }) => (
            <li key={value}>
              <Link
                to={`${base}${search}${hash}`}
                preventScrollReset
                onClick={onPlainClick(() => show(search, { hash }))}
                aria-current={query.sort === value ? 'true' : undefined}
                className="inline-block border-b-2 border-transparent py-1.5 text-mute hover:text-ink aria-[current]:border-action aria-[current]:font-bold aria-[current]:text-ink"
              >
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function NoResults({ page, base, hash, show }: PartProps) {
  return (
    <div className="mt-5 rounded-card border border-dashed border-edge px-6 py-14 text-center">
      <p className="font-display text-2xl font-bold">No courses found matching your criteria.</p>
      {page.listing.closest.length > 0 && (
        <>
          <p className="mt-4 text-mute">The closest titles are</p>
          <ul className="mt-2 grid gap-1">
            {page.listing.closest.map(({ slug, title }) => (
              <li key={slug}>
                <Link
                  to={href('/course/:courseId', { courseId: slug })}
                  className="inline-block py-1 font-bold text-link underline underline-offset-4"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <Link
        to={`${base}${hash}`}
        preventScrollReset
        onClick={onPlainClick(() => show('', { hash }))}
        className={`${button.primary} mt-7`}
      >
        Clear Filters
      </Link>
    </div>
  );
}

/**
 * Fetches the catalogue for filtering in the browser, when the browser is idle. Returns what to call when somebody is
 * about to filter. With more courses than a browser should hold, or where data is to be saved, the server filters.
 */
function useHeldCatalogue(courses: number): () => void {
  const wanted = courses <= mostCompactCourses;
  const fetchIt = useCallback(() => {
    if (!wanted || savesData()) return;
    // Without it the server filters: nothing is lost when it cannot be fetched.
    import('./local-catalogue.ts').then(({ fetchCatalogue }) => fetchCatalogue()).catch(() => undefined);
  }, [wanted]);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    if ('requestIdleCallback' in window) requestIdleCallback(fetchIt);
    else setTimeout(fetchIt, 1000);
  }, [fetchIt]);
  return fetchIt;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/**
 * The list that is shown: `page`, or the one that replaced it without waiting for the route. `show` shows the list of a
 * changed filter, search or order from the catalogue in the browser, or else asks the route for it. `loadMore` adds the
 * next cards (P10), from that catalogue or fetched alone. Both change the address. After every other navigation
 * (reload, back and forward, a new tab, no JavaScript) the list comes from the route and replaces this one. `failed`
 * says that more cards could not be fetched; the list stays. `isComing` says whether a list is the shown one, or the
 * one that was asked for last and is on its way.
 */
function useShownPage(page: CataloguePage, base: string) {
  const navigate = useNavigate();
  const [instead, setInstead] = useState<{ of: CataloguePage; shown: CataloguePage } | null>(null);
  const [loading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const current = useRef<CataloguePage | null>(null);
  useEffect(() => {
    current.current = page;
    return () => {
      current.current = null;
    };
  }, [page]);
  const shown = instead?.of === page ? instead.shown : page;
  const coming = useRef(firstPartOf(shown));
  useEffect(() => {
    coming.current = firstPartOf(shown);
  }, [shown]);
  const { search: drawn } = useLocation();
  // While React still draws the page of the present address, this list would be that of the page before.
  const isDrawn = () => drawn === window.location.search;
  const held = (search: string) => (isDrawn() ? heldCatalogue.page?.(new URL(base + search, location.origin)) : null);

  function show(search: string, how: { replace?: boolean; hash?: string } = {}): void {
    const next = held(search);
    coming.current = search;
    setFailed(false);
    if (next) setInstead({ of: page, shown: next });
    navigate(
      { pathname: base, search, hash: how.hash },
      { preventScrollReset: true, replace: how.replace, defaultShouldRevalidate: !next },
    );
  }

  async function loadMore(nextPage: number) {
    if (loading) return;
    setLoading(true);
    setFailed(false);
    const search = listingSearch({ ...shown.query, page: nextPage });
    const next = held(search);
    const part = next ? partOf(next) : await fetchPart(search);
    setLoading(false);
    // The visitor has left this list.
    if (current.current !== page) return;
    if (!part) return setFailed(true);
    const fits = isDrawn() && continues(part, shown);
    if (fits) {
      const cards = [...shown.listing.cards, ...part.listing.cards];
      setInstead({ of: page, shown: { ...shown, ...part, listing: { ...part.listing, cards } } });
    }
    navigate({ pathname: base, search }, { preventScrollReset: true, defaultShouldRevalidate: !fits });
  }

  return { shown, loading, failed, show, isComing: (search: string) => search === coming.current, loadMore };
}

const firstPartOf = ({ query }: CataloguePage): string => listingSearch({ ...query, page: 1 });

/** Whether the part continues `shown`. If the catalogue has changed since, the route has the whole list. */
function continues(part: CataloguePart, shown: CataloguePage): boolean {
  const slugs = new Set(shown.listing.cards.map(({ slug }) => slug));
  return part.listing.matching === shown.listing.matching && !part.listing.cards.some(({ slug }) => slugs.has(slug));
}

/** Null when the server cannot be reached or answers with an error. */
async function fetchPart(search: string): Promise<CataloguePart | null> {
  try {
    const response = await fetch(`${href('/api/courses')}${search}`);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
