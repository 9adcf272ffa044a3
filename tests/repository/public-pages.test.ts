import type { RouteConfigEntry } from '@react-router/dev/routes';
import { matchPath } from 'react-router';
import { expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { publicPages } from '#scripts/support/public-pages.ts';

/** Pages of one person's link, former versions, and pages that are kept from search engines. */
const notPublic =
  /:(token|draft|number|reference|version|mailId|payment)\b|^login\/|^(mail|status|enrolments|waiting-list|\*)$/;

const pagesUnder = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path = '', children }) => (children ? pagesUnder(children) : [path]));

test('the list of public pages has an address of every route in the frame of the storefront', () => {
  const storefront = routes.find(({ file }) => file.startsWith('routes/storefront/layout'));
  const paths = pagesUnder(storefront?.children ?? []).filter((path) => !notPublic.test(path));
  expect(paths.length).toBeGreaterThan(20);
  const addresses = publicPages.map((page) => new URL(page, 'http://localhost').pathname);
  expect(paths.filter((path) => !addresses.some((address) => matchPath(`/${path}`, address)))).toEqual([]);
});
