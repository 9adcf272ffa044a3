import { expect, test } from 'vitest';
import { searchOf } from './search.ts';

test('a search is read as words, as a phone number, as a reference and as a number', () => {
  expect(searchOf(' Mor  freight ')).toEqual({
    typed: 'Mor  freight',
    words: ['mor', 'freight'],
    phone: null,
    reference: null,
    number: null,
    cents: null,
  });
  for (const phone of ['0412 664 018', '(07) 7010-0142', '+61 412 664', '0061412664018']) {
    expect(searchOf(phone).phone).toBe(phone);
  }
  expect(searchOf('0412').phone).toBe(null);
  expect(searchOf('bb-y28').reference).toBe('BB-Y28');
  expect(searchOf('y28mw2').reference).toBe('BB-Y28MW2');
  expect(searchOf('BB-Y28')).toMatchObject({ words: ['y28'] });
  expect(searchOf('inv-00412')).toMatchObject({ words: [], number: { digits: '00412', only: 'invoice' } });
  expect(searchOf('ADJ 7')).toMatchObject({ words: [], number: { digits: '7', only: 'note' } });
  expect(searchOf('Invoice 412')).toMatchObject({ words: [], number: { digits: '412', only: 'invoice' } });
  expect(searchOf('invoices')).toMatchObject({ words: ['invoices'], number: null });
  expect(searchOf('412')).toMatchObject({ words: ['412'], number: { digits: '412', only: null } });
});

test('P82: an amount is found as people write it', () => {
  expect(['3499', '3,499', '$3,499.00', 'AU$3499'].map((typed) => searchOf(typed).cents)).toEqual([
    ...[349_900, 349_900, 349_900, 349_900],
  ]);
  expect(['34,99', '0', 'INV-3499', '0412664018'].map((typed) => searchOf(typed).cents)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('signs, and prefixes that every record has, are not searched', () => {
  for (const typed of ['bb', 'BB-', 'inv', 'INV-', '%', '_', "'\\", '']) {
    expect(searchOf(typed)).toMatchObject({ words: [], phone: null, reference: null, number: null });
  }
});

test('P82: a payment reference is found as it is printed for bank transfers', () => {
  for (const typed of ['BBY28MW2', 'bby28mw2', 'INV00147 BBY28MW2']) {
    expect(searchOf(typed).reference).toBe('BB-Y28MW2');
  }
  expect(searchOf('Bbrown').reference).toBe(null);
});
