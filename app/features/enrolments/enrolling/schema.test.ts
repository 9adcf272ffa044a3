import { expect, test } from 'vitest';
import { readAttendees, readPayer } from './schema.ts';

const payer = { buyerName: 'Ada Byron', email: 'ada@example.com', payer: 'organisation', organisation: 'Engines' };

test('all faults of a page come at once: telephone, organisation and ABN', () => {
  const read = readPayer({ ...payer, phone: '12', organisation: '', abn: '12 345 678 901' });
  expect(read.ok ? [] : Object.keys(read.errors)).toEqual(['organisation', 'abn', 'phone']);
});

test('a missing name, a wrong address and a wrong ABN come at once', () => {
  const read = readPayer({ payer: 'organisation', email: 'ada at home', abn: '1' });
  expect(read.ok ? [] : Object.keys(read.errors)).toEqual(['buyerName', 'email', 'organisation', 'abn']);
});

test('a guardian is asked for beside a wrong address', () => {
  const read = readAttendees({ 'email-1': 'nowhere', 'under18-1': 'on' }, 1);
  expect(read.ok ? [] : Object.keys(read.errors)).toEqual(['email-1', 'guardianName-1']);
});

test('the form of a private payer is not checked for an ABN that was left behind', () => {
  expect(readPayer({ ...payer, payer: 'person', abn: '12 345 678 901' }).ok).toBe(true);
});

test.each([
  'ABN 51 824 753 556',
  '51-824-753-556',
  'A.B.N.: 51824753556',
  '５１ ８２４ ７５３ ５５６',
  '51 824 753 556',
])('the ABN %s is read as people write it', (abn) => {
  const read = readPayer({ ...payer, abn });
  expect(read.ok && read.data.payer).toMatchObject({ abn: '51824753556' });
});

test.each(['0412 345 678', '0412-345-678', '+61 (0)412 345 678', '０４１２３４５６７８', '0412.345.678'])(
  'the telephone number %s is read as people write it',
  (phone) => {
    const read = readPayer({ ...payer, phone });
    expect(read.ok && read.data.buyer.phone).toBe('+61412345678');
  },
);
