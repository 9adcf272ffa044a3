import { expect, test } from 'vitest';
import { dayOf } from '#app/lib/day-text.ts';
import { keyOfText, standingText } from '#app/lib/keyset.ts';
import { defineList } from './define-list.ts';
import { listAddress, oneOf } from './list-address.ts';

const states = { new: 'New', old: 'Old' } as const;
const cell = () => null;
const list = defineList({
  title: 'Things',
  path: '/staff/things',
  show: (row: { name: string; cents: number }) => row,
  usual: 'made',
  filters: { state: oneOf(states), from: dayOf },
  columns: {
    number: { title: 'Number', cell, csv: () => 1, sort: { name: 'starts', kind: 'day', descending: false } },
    name: { title: 'Name', cell, csv: (row) => row.name, sort: { name: 'made', kind: 'moment', descending: true } },
    sum: {
      title: 'Sum, AU$',
      cell,
      csv: { Sum: ({ cents }) => ({ cents }), Currency: () => 'AUD' },
      sort: { name: 'owed', kind: 'whole', descending: true },
    },
  },
});
const read = (query: string) => list.viewOf(new URLSearchParams(query));
const plain = read('');

const all = listAddress({ path: '/staff/things', filters: { state: oneOf(states), colour: oneOf({ red: 'Red' }) } });
const coming = listAddress({
  path: '/staff/things',
  filters: { state: (text) => oneOf({ coming: 'To come', past: 'Past' })(text) ?? 'coming' },
});
const readAll = (query: string) => all.viewOf(new URLSearchParams(query));
const readComing = (query: string) => coming.viewOf(new URLSearchParams(query));

test('an address names words, filters, an order, columns and a row, and is written as it was read', () => {
  const query = 'search=Ada+B&state=old&from=2026-11-01&sort=-starts&columns=number%2Csum&before=12.2027-02-15';
  expect(read(query)).toMatchObject({
    search: 'Ada B',
    values: { state: 'old', from: '2026-11-01' },
    sort: 'starts',
    descending: true,
    columns: ['number', 'sum'],
    cursor: { at: 'before', id: 12, key: '2027-02-15' },
  });
  expect(list.address(read(query))).toBe(`/staff/things?${query}`);
  expect(list.address(plain)).toBe('/staff/things');
  expect(list.queryOf(read(query)).toString()).toBe('state=old&from=2026-11-01&sort=-starts&columns=number%2Csum');
  expect(list.kept(query)).toBe('state=old&from=2026-11-01&sort=-starts&columns=number%2Csum');
});

test('the file of a view has all its rows and the values of its columns', () => {
  expect(list.file(read('state=old&after=1.2026-01-01T00:00:00.000000Z'))).toBe('/staff/things.csv?state=old');
  const columns = list.csvOf(read('columns=name,sum'));
  expect(Object.keys(columns)).toEqual(['Name', 'Sum', 'Currency']);
  expect(columns.Sum?.({ name: 'Ada', cents: 120 })).toEqual({ cents: 120 });
});

test('what an address names wrongly counts as absent', () => {
  for (const query of [
    'state=odd&from=2026-02-30&sort=name&columns=secret&after=1',
    "state=new'--&from=1&sort=made;drop&columns=&after=1.now()",
    'after=1.2026-13-01T00:00:00.000000Z',
    'after=99999999999999999.2026-01-01T00:00:00.000000Z',
    'sort=--made&before=-1.2026-01-01T00:00:00.000000Z',
    'state=toString&page=2&before=12',
  ]) {
    expect(read(query), query).toEqual(plain);
  }
  expect(read(`search=${'a'.repeat(200)}%00`).search).toBe('a'.repeat(100));
  // A row by the key of another order.
  expect(read('sort=owed&after=1.2027-02-15').cursor).toBe(null);
  expect(read('sort=owed&after=1.-25').cursor).toEqual({ at: 'after', id: 1, key: '-25' });
  expect(keyOfText('7.a\0b', 'text')).toBe(null);
  expect(keyOfText('7.a.b@example.org', 'text')).toEqual({ id: 7, key: 'a.b@example.org' });
  expect(keyOfText('7.infinity', 'day')).toEqual({ id: 7, key: 'infinity' });
});

test('a list without orders has pages with numbers, or rows before an id', () => {
  expect(readAll('before=12')).toMatchObject({ page: 1, before: 12 });
  expect(readComing('state=past&page=3')).toMatchObject({ values: { state: 'past' }, page: 3 });
  for (const query of ['state=odd&colour=green', 'page=0&before=0', 'page=1.5&before=-1', 'page=10001&before=x']) {
    expect(readAll(query), query).toEqual(readAll(''));
  }
});

test('a change begins at the first page, a column that is in order already is turned round', () => {
  const view = read('state=new&after=1.2026-01-01T00:00:00.000000Z');
  expect(list.to(view, { values: { state: null } })).toBe('/staff/things');
  expect(list.sortedBy(view, 'made')).toBe('/staff/things?state=new&sort=-made');
  expect(list.sortedBy(view, 'starts')).toBe('/staff/things?state=new&sort=starts');
  expect(list.sortedBy(read('sort=starts'), 'starts')).toBe('/staff/things?sort=-starts');
  expect(list.sortedBy(read('sort=-starts'), 'starts')).toBe('/staff/things?sort=starts');
  // A form of boxes names each column by itself.
  expect(list.address(read('columns=number&columns=sum'))).toBe('/staff/things?columns=number%2Csum');
});

test('tabs and chips lead to the values of a filter, and say nothing that is usual', () => {
  const tabs = all.tabsOf(readAll('state=old&search=Ada&colour=red&before=12'), 'state', states);
  expect(tabs.map(({ text, to, current }) => [text, to, current])).toEqual([
    ['All', '/staff/things?search=Ada&colour=red', false],
    ['New', '/staff/things?search=Ada&state=new&colour=red', false],
    ['Old', '/staff/things?search=Ada&state=old&colour=red', true],
  ]);
  expect(coming.tabsOf(readComing('page=2'), 'state', { coming: 'To come', past: 'Past' })).toEqual([
    { text: 'To come', to: '/staff/things', current: true },
    { text: 'Past', to: '/staff/things?state=past', current: false },
  ]);
  const chips = list.chipsOf(read('state=old'), { state: (state) => ['State', states[state]], from: () => ['', ''] });
  expect(chips).toEqual([{ name: 'state', label: 'State', value: 'Old' }]);
});

test('pages with numbers lead back and on; others to the newest and to older ones', () => {
  const first = readComing('search=x');
  expect(coming.numbered(first, false)).toEqual([null, null]);
  expect(coming.numbered({ ...first, page: 2 }, true)).toEqual([
    { to: '/staff/things?search=x', text: 'Back' },
    { to: '/staff/things?search=x&page=3', text: 'Next' },
  ]);
  expect(all.newestAndOlder(readAll('before=9'), 4)).toEqual([
    { to: '/staff/things', text: 'Newest' },
    { to: '/staff/things?before=4', text: 'Older' },
  ]);
});

test('a page says where it stands, and never more than it counted', () => {
  const at = (before: number | null, shown: number, total: number, more = false) =>
    standingText({ before, shown, total, more });
  expect(at(0, 50, 186)).toBe('1 to 50 of 186');
  expect(at(10_000, 50, 10_000, true)).toBe('10,001 to 10,050 of more than 10,000');
  expect(at(null, 50, 10_000, true)).toBe('50 of more than 10,000');
  expect(at(0, 0, 0)).toBe('0');
  expect(at(0, 0, 12, true)).toBe('0 of more than 12');
});
