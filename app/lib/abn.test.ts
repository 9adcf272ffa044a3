import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAbn } from './abn.ts';

// The ABN of the Australian Taxation Office, as published on its website.
const valid = '51 824 753 556';

test('P30: an ABN passes by its checksum, with or without spaces', () => {
  expect(isAbn(valid)).toBe(true);
  expect(isAbn('51824753556')).toBe(true);
  expect(isAbn('5182475355')).toBe(false);
  expect(isAbn('not a number')).toBe(false);
});

test('P30: any single wrong digit is noticed', () => {
  const digits = valid.replaceAll(' ', '');
  fc.assert(
    fc.property(fc.nat(10), fc.nat(9), (at, digit) => {
      const changed = digits.slice(0, at) + digit + digits.slice(at + 1);
      return isAbn(changed) === (changed === digits);
    }),
  );
});
