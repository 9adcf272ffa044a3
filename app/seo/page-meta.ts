import type { MetaDescriptor } from 'react-router';
import { type SharePicture, sitePicture, versioned } from './share-picture.ts';
import type { Graph } from './structured-data.ts';

/** What every route's `meta` receives; the root's data are missing when the root itself failed. */
type At = {
  matches: readonly [{ loaderData?: { baseUrl: string } | undefined }, ...unknown[]];
  location: { pathname: string };
};

type Page = {
  /** Its own picture beside shared links and the path it is at; otherwise the site's. */
  picture?: { path: string; picture: SharePicture };
  /**
   * The query string, with its `?`, of the address that search engines should keep; null when they should keep none.
   * Without it, the path alone (decision 25).
   */
  keep?: string | null;
  /** What the page is about, as schema.org has it, built on the public origin. */
  data?: (baseUrl: string) => Graph;
};

/** What a page says of itself in its head: title (the academy's name is added), description, canonical address, share text and structured data. */
export function pageMeta(at: At, title: string, description: string, page: Page = {}): MetaDescriptor[] {
  const { matches, location } = at;
  const { keep = '', data } = page;
  const whole = `${title} | Bowerbird Academy`;
  const about: MetaDescriptor[] = [{ title: whole }, { name: 'description', content: description }];
  const baseUrl = matches[0].loaderData?.baseUrl;
  if (keep === null || baseUrl === undefined) return [...about, { name: 'robots', content: 'noindex' }];
  const address = baseUrl + location.pathname + keep;
  const { path, picture } = page.picture ?? { path: '/share/site.png', picture: sitePicture };
  return [
    ...about,
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:title', content: whole },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:url', content: address },
    { property: 'og:site_name', content: 'Bowerbird Academy' },
    { property: 'og:locale', content: 'en_AU' },
    { property: 'og:image', content: baseUrl + versioned(path, picture) },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: [picture.kicker, picture.title, ...picture.facts].join('. ') },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(data ? [{ 'script:ld+json': data(baseUrl) }] : []),
  ];
}

/** For what is not there or not for everyone: search engines should not keep it. */
export const noPage = { keep: null } as const;
