import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressToKeep, type ListingQuery, listingSearch, noFilters, parseListingQuery, sorts } from './schema.ts';

const parse = (text: string) => parseListingQuery(new URLSearchParams(text));

test('P8: defaults are left out of the address', () => {
  expect(listingSearch(noFilters)).toBe('');
  expect(listingSearch({ ...noFilters, category: 'soc', page: 2 })).toBe('?category=soc&page=2');
});

test('P8: the filters of the address are the chosen ones', () => {
  const query = fc.record<ListingQuery>({
    search: fc.string({ maxLength: 60 }).map((text) => text.trim()),
    category: fc.constantFrom('', 'soc', 'ai-security', 'nope'),
    level: fc.constantFrom('', 'beginner', 'expert'),
    sort: fc.constantFrom(...sorts.map(({ value }) => value)),
    page: fc.integer({ min: 1, max: 999 }),
  });
  fc.assert(
    fc.property(query, (wanted) => {
      expect(parse(listingSearch(wanted))).toEqual(wanted);
    }),
  );
});

test.each(['page=-1', 'page=0', 'page=two', 'page=1.5', 'page=99999999999999999999', 'page='])(
  '%s is page 1',
  (text) => {
    expect(parse(text).page).toBe(1);
  },
);

test('an unknown order is the default one', () => {
  expect(parse('sort=random').sort).toBe('popular');
});

test('any query string at all is read without a fault', () => {
  fc.assert(fc.property(fc.string(), (text) => void parse(text)));
});

test.each([
  ['', ''],
  ['page=3&sort=newest', ''],
  ['category=soc', '?category=soc'],
  ['category=soc&sort=price-low&page=2', '?category=soc'],
  ['search=cissp', null],
  ['level=expert', null],
  ['category=soc&level=expert', null],
])('of the list %s search engines keep the address %s', (text, kept) => {
  expect(addressToKeep(parse(text), 30)).toBe(kept);
});

test('search engines keep no list without courses', () => {
  expect(addressToKeep(parse('category=unknown'), 0)).toBeNull();
});
