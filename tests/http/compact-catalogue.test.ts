import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cataloguePage, type PageCatalogue } from '#app/features/catalogue/catalogue-page.ts';
import { expandCatalogue } from '#app/features/catalogue/compact-catalogue.ts';
import { listingSearch, sorts } from '#app/features/catalogue/schema.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

test('P8: a browser makes the same page of every address as the server, from the list it holds', async () => {
  const response = await academy.request('/api/catalogue');
  const inBrowser = expandCatalogue(await response.json());
  const onServer = listable(academy.services.snapshot.current(), '2025-09-08');
  const words = onServer.courses.flatMap(({ card }) => card.title.split(' '));
  const categories = [...onServer.categories, ...onServer.tracks].map(({ slug }) => slug);
  const query = fc.record({
    search: fc.oneof(
      fc.constantFrom('', ...words, 'k8s', 'pen test', 'sc900', 'iso27001', 'zzz'),
      fc.array(fc.constantFrom(...words, 'course', 'for', 'Brisbane'), { maxLength: 4 }).map((some) => some.join(' ')),
      fc.string(),
    ),
    category: fc.constantFrom('', 'unknown', ...categories),
    level: fc.constantFrom('', 'beginner', 'expert', 'none'),
    sort: fc.constantFrom(...sorts.map(({ value }) => value)),
    page: fc.integer({ min: 1, max: 8 }),
  });
  const pageOf = (catalogue: PageCatalogue, search: string) => {
    try {
      return cataloguePage(catalogue, () => [], new URL(`http://localhost/courses${search}`));
    } catch (thrown) {
      if (thrown instanceof Response) return thrown.headers.get('Location');
      throw thrown;
    }
  };
  fc.assert(
    fc.property(query, (wanted) => {
      const search = listingSearch({ ...wanted, search: wanted.search.trim() });
      expect(pageOf(inBrowser, search)).toEqual(pageOf(onServer, search));
    }),
    { numRuns: 300 },
  );
});
