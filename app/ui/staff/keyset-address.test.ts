import { expect, test } from 'vitest';
import { dayOf } from '#app/lib/day-text.ts';
import { keyOfText, standingText } from '#app/lib/keyset.ts';
import { keysetAddress, oneOf } from './keyset-address.ts';

const list = keysetAddress({
  path: '/staff/things',
  sorts: {
    made: { kind: 'moment', descending: true },
    starts: { kind: 'day', descending: false },
    owed: { kind: 'whole', descending: true },
  },
  usual: 'made',
  filters: { state: oneOf(['new', 'old']), from: dayOf },
  columns: { number: 'Number', name: 'Name', sum: 'Sum' },
});
const read = (query: string) => list.viewOf(new URLSearchParams(query));
const plain = read('');

test('an address names words, filters, an order, columns and a row, and is written as it was read', () => {
  const query = 'search=Ada+B&state=old&from=2026-11-01&sort=-starts&columns=number%2Csum&before=12.2027-02-15';
  expect(read(query)).toEqual({
    search: 'Ada B',
    values: { state: 'old', from: '2026-11-01' },
    sort: 'starts',
    descending: true,
    columns: ['number', 'sum'],
    cursor: { at: 'before', id: 12, key: '2027-02-15' },
  });
  expect(list.address(read(query))).toBe(`/staff/things?${query}`);
  expect(list.address(plain)).toBe('/staff/things');
  expect(list.address(read(query), '/staff/things.csv')).toBe(`/staff/things.csv?${query}`);
  expect(list.queryOf(read(query)).toString()).toBe('state=old&from=2026-11-01&sort=-starts&columns=number%2Csum');
});

test('what an address names wrongly counts as absent', () => {
  for (const query of [
    'state=odd&from=2026-02-30&sort=name&columns=secret&after=1',
    "state=new'--&from=1&sort=made;drop&columns=&after=1.now()",
    'after=1.2026-13-01T00:00:00.000000Z',
    'after=99999999999999999.2026-01-01T00:00:00.000000Z',
    'sort=--made&before=-1.2026-01-01T00:00:00.000000Z',
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

test('a page says where it stands, and never more than it counted', () => {
  const at = (before: number | null, shown: number, total: number, more = false) =>
    standingText({ before, shown, total, more });
  expect(at(0, 50, 186)).toBe('1 to 50 of 186');
  expect(at(10_000, 50, 10_000, true)).toBe('10,001 to 10,050 of more than 10,000');
  expect(at(null, 50, 10_000, true)).toBe('50 of more than 10,000');
  expect(at(0, 0, 0)).toBe('0');
  expect(at(0, 0, 12, true)).toBe('0 of more than 12');
});
