import { useEffect, useRef, useState } from 'react';
import { href, useLocation, useNavigate } from 'react-router';
import type { CataloguePage } from './catalogue-page.ts';
import { heldCatalogue } from './held-catalogue.ts';
import { type CataloguePart, partOf } from './paging.ts';
import { listingSearch } from './schema.ts';

/**
 * The list that is shown: `page`, or what took its place without waiting for the route. `show` shows the list of a
 * changed filter, search or order from the catalogue that the browser holds, or else asks the route for it. `loadMore`
 * adds the cards that are not shown yet (P10), from what is held or fetched alone. Both move the address on. Every
 * other way to an address (reload, back and forward, a new tab, no JavaScript) gets its list from the route, which
 * replaces what was shown here. `failed` says that more cards could not be fetched; the list stays. `isComing` says whether
 * a list is the shown one, or the one that was asked for last and is on its way.
 */
export function useShownPage(page: CataloguePage, base: string, hash: string) {
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
    // The visitor has gone elsewhere meanwhile.
    if (current.current !== page) return;
    if (!part) return setFailed(true);
    const fits = isDrawn() && continues(part, shown);
    if (fits) {
      const cards = [...shown.listing.cards, ...part.listing.cards];
      setInstead({ of: page, shown: { ...shown, ...part, listing: { ...part.listing, cards } } });
    }
    navigate({ pathname: base, search, hash }, { preventScrollReset: true, defaultShouldRevalidate: !fits });
  }

  return { shown, loading, failed, show, isComing: (search: string) => search === coming.current, loadMore };
}

const firstPartOf = ({ query }: CataloguePage): string => listingSearch({ ...query, page: 1 });

/**
 * Whether the part goes on where `shown` ends. If the catalogue has changed meanwhile, the route has the whole list.
 */
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
