import { expect, test } from 'vitest';
import { nearNumbers, nearReferences } from './references.ts';
import { keyOf, type Owing, suggestionsFor } from './suggestions.ts';

test('P83: a reference with one slip is near, with two it is not', () => {
  for (const words of ['BB-7KQ2MX', 'bb7kq2mz', 'BB 7KQ2M', 'BB-7KQQ2MX', 'REF BB-7QK2MX', 'BBK7Q2MX']) {
    expect([words, nearReferences(words).includes('BB-7KQ2MX')]).toEqual([words, true]);
  }
  for (const words of ['BB-7KQ2ZZ', 'BB-7KQ2MXAB', 'BARBIE', '']) {
    expect([words, nearReferences(words).includes('BB-7KQ2MX')]).toEqual([words, false]);
  }
  expect(nearNumbers('Invoice 00024')).toEqual(expect.arrayContaining([24, 42, 4, 124]));
  expect(nearNumbers('ROOM 24')).toEqual([]);
});

const owing = (id: number, reference: string, parts: Partial<Owing> = {}): Owing => {
  const balanceCents = parts.balanceCents ?? 229_900;
  return {
    ...{ id, reference, buyer: 'Mary Shelley', organisation: null, mailbox: `${id}@example.com`, balanceCents },
    invoices: [{ number: id, openCents: balanceCents, nextCents: [balanceCents] }],
    ...parts,
  };
};
const shown = (words: string, amountCents: number, all: readonly Owing[]) =>
  suggestionsFor({ words, amountCents }, all).map((one) => [keyOf(one), one.sure]);

const mary = owing(41, 'BB-AAAAAA');
const jane = owing(42, 'BB-BBBBBB', { buyer: 'Jane Austen', balanceCents: 549_900 });

test('P83: name and amount, or slip and amount, are sure; either alone is not', () => {
  expect(shown('TFR FROM SHELLEY MARY', 229_900, [mary, jane])).toEqual([['BB-AAAAAA 229900', true]]);
  expect(shown('BB-AAAAAB COURSE', 229_900, [mary, jane])).toEqual([['BB-AAAAAA 229900', true]]);
  expect(shown('BB-AAAAAB COURSE', 229_901, [mary, jane])).toEqual([['BB-AAAAAA 229901 of 229900', false]]);
  // A part of what is owed, and more than it.
  expect(shown('MARY SHELLEY', 100_000, [mary, jane])).toEqual([['BB-AAAAAA 100000 of 229900', false]]);
  expect(shown('MARY SHELLEY', 300_000, [mary, jane])).toEqual([]);
  expect(shown('COURSE FEE', 229_900, [mary, jane])).toEqual([['BB-AAAAAA 229900', false]]);
  expect(shown('INV 00014', 229_900, [mary])).toEqual([['BB-AAAAAA 229900', true]]);
  expect(shown('INV 00014', 229_800, [mary])).toEqual([]);
  expect(shown('COURSE FEE', 1, [mary, jane])).toEqual([]);
});

test('P83: where two fit nothing is sure, and an amount that three owe suggests nothing', () => {
  const other = owing(43, 'BB-CCCCCC');
  expect(shown('MARY SHELLEY', 229_900, [mary, other])).toEqual([
    ['BB-AAAAAA 229900', false],
    ['BB-CCCCCC 229900', false],
  ]);
  expect(shown('COURSE FEE', 229_900, [mary, other])).toHaveLength(2);
  expect(shown('COURSE FEE', 229_900, [mary, other, owing(44, 'BB-DDDDDD')])).toEqual([]);
  // The words name an enrolment, and the name says another.
  expect(shown('BB-7KQ2MX MARY SHELLEY', 229_900, [mary])).toEqual([['BB-AAAAAA 229900', false]]);
});

test('P83: invoices of one buyer that add up are suggested together', () => {
  const parts = { mailbox: 'mary@example.com' };
  const [one, two, three] = [
    owing(1, 'BB-AAAAAA', { ...parts, balanceCents: 100_000 }),
    owing(2, 'BB-BBBBBB', { ...parts, balanceCents: 150_000 }),
    owing(3, 'BB-CCCCCC', { ...parts, balanceCents: 250_000 }),
  ];
  expect(shown('MARY SHELLEY', 400_000, [one, two, three])).toEqual([['BB-BBBBBB 150000, BB-CCCCCC 250000', true]]);
  // AU$2,500 is the first two together, and the third.
  expect(shown('MARY SHELLEY', 250_000, [one, two, three])).toEqual([
    ['BB-CCCCCC 250000', false],
    ['BB-AAAAAA 100000, BB-BBBBBB 150000', false],
  ]);
  // Nothing says that it is from this buyer.
  expect(shown('COURSES', 400_000, [one, two, three])).toEqual([]);
  expect(shown('BB-AAAAAA BB-BBBBBB', 779_800, [mary, jane])).toEqual([['BB-AAAAAA 229900, BB-BBBBBB 549900', true]]);
  const [suggestion] = suggestionsFor({ words: 'MARY SHELLEY', amountCents: 400_000 }, [one, two, three]);
  expect(suggestion?.reasons).toEqual(['The name is the same: Mary Shelley', 'Together they owe AU$4,000.00']);
});
