import { expect, test } from 'vitest';
import { paymentReference } from './invoice-rules.ts';
import { matcherOf, type Nameable, referencesIn } from './references.ts';

const one: Nameable = { id: 1, reference: 'BB-7KQ2MX', title: 'One', buyer: 'Ada', number: 42 };
const two: Nameable = { id: 2, reference: 'BB-ZZ2345', title: 'Two', buyer: 'Bob', number: 5 };
const letters: Nameable = { id: 3, reference: 'BB-QSHACK', title: 'Three', buyer: 'Cy', number: 900 };
const match = (words: string) => matcherOf([one, two, letters])(referencesIn(words));

test('the reference on an invoice names its enrolment and its invoice', () => {
  const reference = paymentReference(999_999, 'BB-7KQ2MX');
  expect(referencesIn(reference)).toEqual({ enrolments: ['BB-7KQ2MX'], invoices: [999_999], unclear: [] });
});

test('an enrolment is found however its reference or invoice was typed', () => {
  const spellings = [
    'INV00042BB7KQ2MX',
    'Inv#42',
    'INV 42',
    'inv: #42',
    'invoice no 42',
    'Invoice no. 42',
    'INVOICE NUMBER 00042',
    'invno42',
    'BB 7KQ2MX',
    'bb - 7kq2mx',
    'bb7kq2mx',
    'BB BB7KQ2MX',
    ...['BB–7KQ2MX', 'BB_7KQ2MX', 'BB.7KQ2MX', 'BB/7KQ2MX', 'BB:7KQ2MX', 'BB-7KQ 2MX', 'BB-7KQ-2MX', '7KQ2MX'],
    ...['BILL 00042', 'INV–00042', 'INV‑00042', 'INVOICE-INV-00042'],
    'SMITHBB7KQ2MX',
    'FROMBB7KQ2MXINV00042',
    'SMITHINV00042',
    'HOBBYCRAFTS INV00042 BB7KQ2MX',
    'Transfer from A SMITH inv-00042 bb 7kq2mx BB7KQ2MX',
    // Letters that no reference holds, for digits and letters that look like them.
    'INVOOO42',
    'INV-0OO42',
    // The number of the payer's own book, which is none of ours.
    'INV 31 BB-7KQ2MX',
  ];
  for (const words of spellings) expect(match(words), words).toEqual({ kind: 'one', enrolment: one });
  expect(match('BB-OSHACK')).toEqual({ kind: 'one', enrolment: letters });
  expect(match('BB-QSHACK')).toEqual({ kind: 'one', enrolment: letters });
});

test('words that are no reference name nothing', () => {
  const texts = [
    'Salary BBQ KANGAROO 12, BBINVITE',
    'HOBBYCRAFTS',
    'INVITE 42',
    'INVESTMENT 42',
    'INV OIL',
    'RABBITS 2345',
    'INV 7',
    'BB-222222',
  ];
  for (const words of texts) expect(match(words), words).toEqual({ kind: 'none' });
});

test('an invoice of one enrolment with a reference of another, or of none, is not booked', () => {
  for (const words of ['INV00042 BBZZ2345', 'INV-00005 BB-7KQ2MX', 'INV00005 BBZZ2346', 'INV00005BBAAAAAA']) {
    expect(match(words).kind, words).toBe('contradicting');
  }
  expect(match('INV00005 BBZZ2346')).toEqual({ kind: 'contradicting', references: ['BB-ZZ2345', 'BB-ZZ2346'] });
  expect(match('J DOYLE INV00042 ZZ2345')).toMatchObject({ kind: 'contradicting' });
  expect(match('BB-7KQ2MX and BB-ZZ2345')).toEqual({ kind: 'several', enrolments: [one, two] });
  expect(match('INV 42 / INV 5')).toEqual({ kind: 'several', enrolments: [one, two] });
  expect(match('INV00042 BB7KQ2MX INV00005 BBZZ2345')).toEqual({ kind: 'several', enrolments: [one, two] });
});

test('a confusion that could mean two enrolments names none', () => {
  const either = matcherOf([
    { ...one, reference: 'BB-Q22222' },
    { ...two, reference: 'BB-D22222' },
  ]);
  expect(either(referencesIn('BB-022222'))).toEqual({ kind: 'none' });
});
