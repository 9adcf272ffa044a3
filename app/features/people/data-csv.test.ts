import { expect, test } from 'vitest';
import { dataAsCsv } from './data-csv.ts';

test('P58: one line for each value, with its path; empty ones are left out and no cell is a formula', () => {
  const at = new Date('2025-09-08T00:00:00Z');
  const data = {
    certificates: [
      { slug: 'cissp', asked: null },
      { slug: '=1+1', told: [{ at }] },
    ],
    mails: [],
    people: [{ under_18: false }],
  };
  expect(dataAsCsv(data)).toBe(
    [
      '\uFEFF"kind","record","field","value"',
      '"certificates","1","slug","cissp"',
      `"certificates","2","slug","'=1+1"`,
      '"certificates","2","told.1.at","2025-09-08T00:00:00.000Z"',
      '"people","1","under_18","false"',
      '',
    ].join('\r\n'),
  );
});
