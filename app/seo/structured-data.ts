/**
 * The facts of pages for machines, as schema.org and Google's documentation of course lists, course info and events
 * define them. Ratings are left out: they are the academy's own, and reviews must come from someone else.
 */
import type {
  BreadcrumbList,
  Course,
  EducationEvent,
  ItemList,
  Organization,
  PostalAddress,
  WebSite,
} from 'schema-dts';

type Thing = BreadcrumbList | Course | EducationEvent | ItemList | Organization | WebSite;
export type Graph = { '@context': 'https://schema.org'; '@graph': Thing[] };

/** One document of several things about a page. */
export function graph(...things: Thing[]): Graph {
  return { '@context': 'https://schema.org', '@graph': things };
}

/** A reference to the academy; the home page has the full data under the same `@id`. */
export function academy(baseUrl: string) {
  return {
    '@type': 'Organization',
    '@id': `${baseUrl}/#academy`,
    name: 'Bowerbird Academy',
    url: `${baseUrl}/`,
  } as const;
}

type Site = {
  legalName: string;
  abn: string;
  email: string;
  phone: string;
  street: string;
  city: string;
  state: string;
  postcode: string;
  social: { url: string }[];
};

export function organization(baseUrl: string, site: Site): Organization {
  return {
    ...academy(baseUrl),
    logo: `${baseUrl}/icon/512.png`,
    legalName: site.legalName,
    // The Australian Business Number, which the type has no name of its own for.
    taxID: site.abn,
    email: site.email,
    telephone: site.phone,
    address: addressOf(site),
    sameAs: site.social.map(({ url }) => url),
  };
}

function addressOf({ street, city, state, postcode }: Omit<Site, 'social' | 'legalName' | 'abn'>): PostalAddress {
  return {
    '@type': 'PostalAddress',
    streetAddress: street,
    addressLocality: city,
    addressRegion: state,
    postalCode: postcode,
    addressCountry: 'AU',
  };
}

/** The site with its search, by the address that `/courses` has for it (P8). */
export function webSite(baseUrl: string): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${baseUrl}/#site`,
    name: 'Bowerbird Academy',
    url: `${baseUrl}/`,
    inLanguage: 'en-AU',
    publisher: { '@id': `${baseUrl}/#academy` },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/courses?search={search_term_string}` },
      // Google's name for what the template leaves open; schema-dts does not know it.
      ...{ 'query-input': 'required name=search_term_string' },
    },
  };
}

/** The pages above a page and the page itself, from the top, each by its path. */
export function breadcrumbs(baseUrl: string, trail: { name: string; path: string }[]): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: baseUrl + path,
    })),
  };
}

/** A list of courses by their pages' paths, which hold the rest. */
export function courseList(baseUrl: string, name: string, paths: string[]): ItemList {
  return {
    '@type': 'ItemList',
    name,
    itemListElement: paths.map((path, at) => ({ '@type': 'ListItem', position: at + 1, url: baseUrl + path })),
  };
}
