import { href } from 'react-router';
import { type CataloguePage, cataloguePage, type PageCatalogue } from './catalogue-page.ts';
import { type CompactCatalogue, expandCatalogue } from './compact-catalogue.ts';
import { heldCatalogue } from './held-catalogue.ts';

/** Asked for again when it is used after this time; an unchanged one costs a 304. */
const freshMs = 20_000;
/** Never shown when it is older than this: prices must be ones to rely on. */
const oldestMs = 5 * 60_000;

let held: { catalogue: PageCatalogue; tag: string | null; at: number } | null = null;
let fetching: Promise<void> | null = null;

/** Fetches the catalogue unless it was fetched just now. Without it, or when it cannot be had, the server filters. */
export function fetchCatalogue(): Promise<void> {
  if (held && performance.now() - held.at < freshMs) return Promise.resolve();
  fetching ??= loadCatalogue().finally(() => {
    fetching = null;
  });
  return fetching;
}

async function loadCatalogue(): Promise<void> {
  try {
    const response = await fetch(href('/api/catalogue'));
    if (!response.ok) return;
    const tag = response.headers.get('ETag');
    const at = performance.now();
    if (held && tag !== null && tag === held.tag) {
      held.at = at;
      return;
    }
    const compact: CompactCatalogue = await response.json();
    held = { catalogue: expandCatalogue(compact), tag, at };
  } catch {
    // Offline: the browser shows its copy until that is too old.
  }
}

heldCatalogue.page = (url) => {
  if (!held || performance.now() - held.at > oldestMs) return null;
  let foundNothing = false;
  const page: CataloguePage = cataloguePage(
    held.catalogue,
    () => {
      foundNothing = true;
      return [];
    },
    url,
  );
  // Only the server knows what comes near a search that no course matches.
  return foundNothing ? null : page;
};
