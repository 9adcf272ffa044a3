import { expect, test } from 'vitest';
import { listAddress } from './list-address.ts';

const colours = ['red', 'blue'] as const;
const all = listAddress({
  path: '/staff/things',
  states: { new: 'New', old: 'Old' },
  usual: null,
  more: { colour: (text) => colours.find((colour) => colour === text) ?? null },
});
const coming = listAddress({ path: '/staff/things', states: { coming: 'To come', past: 'Past' }, usual: 'coming' });
const read = (query: string) => all.filterOf(new URLSearchParams(query));

test('an address names a state, words, a page and what the list knows besides', () => {
  expect(read('state=old&search=%20Ada+B%20&colour=red&before=12')).toEqual({
    state: 'old',
    search: 'Ada B',
    colour: 'red',
    page: 1,
    before: 12,
  });
  expect(coming.filterOf(new URLSearchParams('state=past&page=3'))).toMatchObject({ state: 'past', page: 3 });
});

test('what an address names wrongly counts as absent', () => {
  const nothing = { state: null, search: '', colour: null, page: 1, before: null };
  for (const query of ['', 'state=odd&colour=green', 'page=0&before=0', 'page=1.5&before=-1', 'page=10001&before=x']) {
    expect(read(query), query).toEqual(nothing);
  }
  expect(coming.filterOf(new URLSearchParams('state=all')).state).toBe('coming');
  expect(read(`search=${'a'.repeat(200)}%00`).search).toBe('a'.repeat(100));
});

test('another part of a list keeps the words, begins at the first page, and says nothing that is usual', () => {
  const filter = read('state=old&search=Ada&colour=red&before=12');
  expect(all.to(filter, filter)).toBe('/staff/things?search=Ada&state=old&colour=red&before=12');
  expect(all.to(filter, { state: 'new' })).toBe('/staff/things?search=Ada&state=new&colour=red');
  expect(all.to(filter, { state: null, search: '', colour: null })).toBe('/staff/things');
  expect(coming.to({ ...coming.filterOf(new URLSearchParams()), page: 2 }, {})).toBe('/staff/things');
  expect(all.states.map(({ label }) => label)).toEqual(['All', 'New', 'Old']);
  expect(coming.states.map(({ label }) => label)).toEqual(['To come', 'Past']);
});

test('pages with numbers lead back and on; others to the newest and to older ones', () => {
  const first = coming.filterOf(new URLSearchParams('search=x'));
  expect(coming.numbered(first, false)).toEqual([null, null]);
  expect(coming.numbered({ ...first, page: 2 }, true)).toEqual([
    { to: '/staff/things?search=x', text: 'Back' },
    { to: '/staff/things?search=x&page=3', text: 'Next' },
  ]);
  expect(all.newestAndOlder(read('before=9'), 4)).toEqual([
    { to: '/staff/things', text: 'Newest' },
    { to: '/staff/things?before=4', text: 'Older' },
  ]);
});
