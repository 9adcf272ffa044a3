import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import type { CataloguePage } from './catalogue-page.ts';
import { heldCatalogue } from './held-catalogue.ts';
import { type CataloguePart, partOf } from './paging.ts';
import { listingSearch } from './schema.ts';

/**
 * LOAD MORE QUESTS in place (P10): fetches only the cards that are not shown yet, adds them to `page`, and moves the
 * address on without asking for the whole list again. Every other way to that address (reload, back and forward, a
 * new tab, no JavaScript) gets the whole list from the route, which replaces what was added here. `failed` says that
 * the cards could not be fetched; the list stays.
 */
export function useLoadMore(page: CataloguePage, base: string, hash: string) {
  const navigate = useNavigate();
  const [added, setAdded] = useState<{ to: CataloguePage; all: CataloguePage } | null>(null);
  const [loading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const current = useRef<CataloguePage | null>(null);
  useEffect(() => {
    current.current = page;
    return () => {
      current.current = null;
    };
  }, [page]);
  const shown = added?.to === page ? added.all : page;

  async function loadMore(event: MouseEvent, nextPage: number) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (loading) return;
    setLoading(true);
    setFailed(false);
    const search = listingSearch({ ...shown.query, page: nextPage });
    const held = heldCatalogue.page?.(new URL(base + search, location.origin));
    const part = held ? partOf(held) : await fetchPart(search);
    setLoading(false);
    // The visitor has gone elsewhere meanwhile.
    if (current.current !== page) return;
    if (!part) return setFailed(true);
    const fits = continues(part, shown);
    if (fits) {
      const cards = [...shown.listing.cards, ...part.listing.cards];
      setAdded({ to: page, all: { ...shown, ...part, listing: { ...part.listing, cards } } });
    }
    navigate({ pathname: base, search, hash }, { preventScrollReset: true, defaultShouldRevalidate: !fits });
  }

  return { shown, loading, failed, loadMore };
}

/** Whether the part goes on where `shown` ends. If the catalogue has changed meanwhile, the route has the whole list. */
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
