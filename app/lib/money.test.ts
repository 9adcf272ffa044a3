import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsFromDollars, dollarsFromCents, formatCount, formatMoney } from './money.ts';

test('P2: whole amounts have no cents, others have two', () => {
  expect(formatMoney(219_900)).toBe('AU$2,199');
  expect(formatMoney(219_950)).toBe('AU$2,199.50');
  expect(formatMoney(1_890_000)).toBe('AU$18,900');
  expect(formatMoney(5)).toBe('AU$0.05');
});

test('cents converted to dollars and back are unchanged', () => {
  fc.assert(fc.property(fc.nat(10_000_000), (cents) => centsFromDollars(dollarsFromCents(cents)) === cents));
});

test('a formatted amount reads back as the same cents', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (cents) => {
      const amount = Number(formatMoney(cents).replace('AU$', '').replaceAll(',', ''));
      expect(Math.round(amount * 100)).toBe(cents);
    }),
  );
});

test('thousands are apart as Node writes them', () => {
  const amount = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('en-AU', options);
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), (value) => {
      expect(formatCount(value)).toBe(amount({}).format(value));
      const decimals = value % 100 === 0 ? 0 : 2;
      const expected = amount({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value / 100);
      expect(formatMoney(value)).toBe(`AU$${expected}`);
    }),
  );
});
