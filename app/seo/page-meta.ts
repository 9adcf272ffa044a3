import type { MetaDescriptor } from 'react-router';
import { type SharePicture, sitePicture, versioned } from './share-picture.ts';
import type { Graph } from './structured-data.ts';

/** The arguments of every route's `meta`; the root's data are missing when the root itself failed. */
type At = {
  matches: readonly [{ loaderData?: { baseUrl: string } | undefined }, ...unknown[]];
  location: { pathname: string };
};

type Page = {
  /**
   * The query string, with its `?`, of the address that search engines should keep; null when they should keep none.
   * Without it, the path alone.
   */
  keep?: string | null;
  /**
   * The facts that only machines read. Write it as `import.meta.env.SSR ? () => … : undefined`, so that its code stays
   * on the server.
   */
  machines?: (() => ForMachines) | undefined;
};

type ForMachines = {
  /** Its own picture for shared links, with its path; otherwise the site's. */
  picture?: { path: string; picture: SharePicture };
  /** The structured data of the page (schema.org), built on the public origin. */
  data?: (baseUrl: string) => Graph;
};

/** A title with the academy's name behind it, as far as search engines show it. */
const wholeTitle = (title: string) =>
  title.length > 58 ? title : `${title} | Bowerbird${title.length > 50 ? '' : ' Academy'}`;

/**
 * The head of a page: title (the academy's name is added where it fits), description, canonical address, share text and
 * structured data.
 */
export function pageMeta(at: At, title: string, description: string, page: Page = {}): MetaDescriptor[] {
  const { matches, location } = at;
  const { keep = '', machines } = page;
  const whole = wholeTitle(title);
  const about: MetaDescriptor[] = [{ title: whole }, { name: 'description', content: description }];
  const baseUrl = matches[0].loaderData?.baseUrl;
  if (keep === null || baseUrl === undefined) return [...about, { name: 'robots', content: 'noindex' }];
  const address = baseUrl + location.pathname + keep;
  about.push({ tagName: 'link', rel: 'canonical', href: address });
  return import.meta.env.SSR ? [...about, ...sharing(whole, description, address, baseUrl, machines?.())] : about;
}

function sharing(
  title: string,
  description: string,
  address: string,
  baseUrl: string,
  { picture: own, data }: ForMachines = {},
): MetaDescriptor[] {
  const { path, picture } = own ?? { path: '/share/site.png', picture: sitePicture };
  return [
    { property: 'og:title', content: title },
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

/** For pages that do not exist or are not for everyone: search engines should not index them. */
export const noPage = { keep: null } as const;
