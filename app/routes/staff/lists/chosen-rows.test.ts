import { expect, test } from 'vitest';
import { chosenRowsIn, chosenRowsQuery } from './chosen-rows.ts';

const chosen = (query: string) => chosenRowsIn(new URLSearchParams(query));

test('P101: an address chooses rows, the page or all that match; all goes before the page, and the page before rows', () => {
  expect(chosen('row=BB-A&row=BB-B&row=BB-A')).toEqual({ list: '', all: false, rows: ['BB-A', 'BB-B'] });
  expect(chosen('of=page&shown=BB-A,BB-C&row=BB-A')).toEqual({ list: '', all: false, rows: ['BB-A', 'BB-C'] });
  expect(chosen('of=page&of=all&shown=BB-A&list=state%3Dunpaid')).toEqual({ list: 'state=unpaid', all: true });
});

test('invalid keys of rows are left out, and an address has a maximum length', () => {
  expect(chosen("row=&row=a'b&row=BB-A").all).toBe(false);
  expect(chosen("row=&row=a'b&row=BB-A")).toMatchObject({ rows: ['BB-A'] });
  const many = Array.from({ length: 900 }, (_, at) => `row=R${at}`).join('&');
  expect(chosen(many)).toMatchObject({ rows: { length: 500 } });
});

test('a choice is written as it was read', () => {
  for (const query of ['row=BB-A&row=BB-B&list=state%3Dunpaid', 'of=all&list=search%3DAda']) {
    expect(chosenRowsQuery(chosen(query))).toBe(query);
  }
});
