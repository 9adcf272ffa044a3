import type { CataloguePage } from './catalogue-page.ts';
import { pageSize } from './schema.ts';

/** The cards that a page adds to the page before it. */
export type CataloguePart = Pick<CataloguePage, 'query' | 'listing' | 'cut'>;

/** The part of a page that a browser which shows the page before does not have yet. */
export function partOf({ query, listing, cut }: CataloguePage): CataloguePart {
  return { query, listing: { ...listing, cards: listing.cards.slice((query.page - 1) * pageSize) }, cut };
}
