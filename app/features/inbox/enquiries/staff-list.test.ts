import { expect, test } from 'vitest';
import { csvOf, jsonOf, listOf, type StaffRecord } from './staff-list.ts';

const record: StaffRecord = {
  reference: 'BB-222222',
  kind: 'contact',
  created_at: '2025-09-08T00:00:00.000Z',
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.com',
  phone: null,
  message: 'Hello',
  marketing_consent: false,
  corrects: null,
  state: 'new',
  details: {},
};
const lastCells = (parts: Partial<StaffRecord>) => csvOf([{ ...record, ...parts }]).split('\n')[1];

test('line breaks in a message cannot be mistaken for another enquiry or another field', () => {
  const message = 'Hi\n\nBB-333333  contact  2025-09-08T00:00:00.000Z\n  Eve <eve@example.com>\n  interest: none';
  const list = listOf([{ ...record, message, details: { company: 'Acme, payer: employer' } }]);
  expect(list).toBe(
    [
      'BB-222222  contact  2025-09-08T00:00:00.000Z  new',
      '  Ada Byron <ada@example.com>',
      '  company: Acme, payer: employer',
      '  | Hi',
      '  | ',
      '  | BB-333333  contact  2025-09-08T00:00:00.000Z',
      '  |   Eve <eve@example.com>',
      '  |   interest: none',
      '',
      '1 enquiry',
    ].join('\n'),
  );
});

test('a correction names what it corrects', () => {
  expect(listOf([{ ...record, corrects: 'BB-333333' }])).toContain('Z  new\n  corrects BB-333333\n  Ada');
});

test('characters that turn or hide text are shown as codes, in the list, in CSV and in JSON', () => {
  const parts = { first_name: 'A\u202eda', message: 'one\u2028BB-333333\u2066x\u0085\u001b[2J' };
  const hidden = /[\p{Bidi_Control}\u2028\u0085]|\p{Cc}\[2J/u;
  for (const write of [listOf, csvOf, jsonOf]) {
    const text = write([{ ...record, ...parts }]);
    expect(text).not.toMatch(hidden);
    expect(text).toContain('A\\u202eda');
    expect(text).toContain('one\\u2028BB-333333\\u2066x\\u0085\\u001b[2J');
  }
  expect(JSON.parse(jsonOf([{ ...record, ...parts }]))).toEqual([{ ...record, ...parts }]);
});

test.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠x', ' =1', '\u200b=1', '\ufeff＝1'])(
  'no spreadsheet runs %j',
  (message) => {
    expect(lastCells({ message })).toMatch(/,"'/);
  },
);

test('other text stays as it is in CSV, quotation marks doubled', () => {
  expect(lastCells({ message: 'say "a-b", 1=1' })).toContain('"say ""a-b"", 1=1"');
});
